// Shows the values of charts under the pointer. The charts can be read without this script.
'use strict';

(() => {
  const two = (number) => String(number).padStart(2, '0');
  const month = (first, at) => `${Math.floor((first + at) / 12)}-${two(((first + at) % 12) + 1)}`;
  const percent = (tenths) => `${tenths % 10 ? (tenths / 10).toFixed(1) : tenths / 10} %`;

  /** The points of a line, of which a path has the differences: month and tenths of a percent. */
  const points = (path) => {
    const numbers = path.match(/-?[\d.]+/g).map(Number);
    let [x, y] = [0, 1000];
    return numbers.flatMap((number, at) => {
      if (at % 2) y -= number * 10;
      else x += number;
      return at % 2 ? [[x, y]] : [];
    });
  };

  /** The value of a line at a month, in tenths of a percent, interpolated between its points. */
  const height = (line, at) => {
    const next = line.findIndex(([x]) => x >= at);
    if (next <= 0) return Math.round(line[Math.max(next, 0)][1]);
    const [[x, y], [toX, toY]] = [line[next - 1], line[next]];
    return Math.round(y + ((at - x) / (toX - x)) * (toY - y));
  };

  /** Shows language, month and value of the line nearest to the pointer. */
  const readChart = (chart) => {
    const area = chart.querySelector('.area');
    const lines = [...chart.querySelectorAll('.line')].map((line) => ({
      line,
      name: line.querySelector('title').textContent.replace(/: [^:]*$/, ''),
      points: points(line.querySelector('path').getAttribute('d')),
    }));
    const out = chart.parentElement.querySelector('.reading');
    if (!area || !out || !lines.length) return;
    const hint = out.textContent;
    const first = Number(chart.dataset.first);
    const months = Number(chart.dataset.months);
    let marked;
    const mark = (line) => {
      marked?.classList.remove('near');
      line?.classList.add('near');
      marked = line;
    };
    chart.addEventListener('pointermove', (event) => {
      const box = area.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * (months - 1));
      if (at < 0 || at >= months) return;
      const wanted = 1000 - ((event.clientY - box.top) / box.height) * 1000;
      const off = (line) => Math.abs(height(line.points, at) - wanted);
      const near = lines.reduce((best, line) => (off(line) < off(best) ? line : best));
      mark(near.line);
      out.textContent = `${near.name}, ${month(first, at)}: ${percent(height(near.points, at))}`;
    });
    chart.addEventListener('pointerleave', () => {
      mark();
      out.textContent = hint;
    });
  };

  document.addEventListener('DOMContentLoaded', () => {
    for (const chart of document.querySelectorAll('svg[data-months]')) readChart(chart);
  });
})();
