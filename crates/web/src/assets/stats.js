// Shows the values of charts under the pointer, or with the arrow keys. The charts can be read without this script.
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

  /** Shows language, month and value of a line: the one nearest to the pointer, or the one that the keys select. */
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
    const show = ({ line, name, points }, at) => {
      mark(line);
      out.textContent = `${name}, ${month(first, at)}: ${percent(height(points, at))}`;
    };
    const rest = () => {
      mark();
      out.textContent = hint;
    };
    const readPointer = (event) => {
      const box = area.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * (months - 1));
      if (at < 0 || at >= months) return;
      const wanted = 1000 - ((event.clientY - box.top) / box.height) * 1000;
      const off = (line) => Math.abs(height(line.points, at) - wanted);
      show(lines.reduce((best, line) => (off(line) < off(best) ? line : best)), at);
    };
    chart.addEventListener('pointerdown', readPointer);
    chart.addEventListener('pointermove', readPointer);
    chart.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && rest());

    // The last line is that of all languages.
    let [selected, at] = [lines.length - 1, months - 1];
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -months], End: [0, months] };
    const within = (number, count) => Math.min(Math.max(number, 0), count - 1);
    chart.tabIndex = 0;
    chart.addEventListener('focus', () => show(lines[selected], at));
    chart.addEventListener('blur', rest);
    chart.addEventListener('keydown', (event) => {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      selected = within(selected + step[0], lines.length);
      at = within(at + step[1], months);
      show(lines[selected], at);
    });
  };

  /** Shows month and number of a bar: the one nearest to the pointer, or the one that the keys select. */
  const readBars = (chart) => {
    const bars = [...chart.querySelectorAll('.bars path')];
    const out = chart.parentElement.querySelector('.reading');
    if (!out || !bars.length) return;
    const hint = out.textContent;
    const middle = (bar) => {
      const box = bar.getBoundingClientRect();
      return box.left + box.width / 2;
    };
    let at = bars.length - 1;
    const mark = (bar) => {
      for (const it of bars) it.classList.toggle('near', it === bar);
      out.textContent = bar ? bar.textContent : hint;
    };
    const readPointer = (event) => {
      const off = (bar) => Math.abs(middle(bar) - event.clientX);
      mark(bars.reduce((best, bar) => (off(bar) < off(best) ? bar : best)));
    };
    chart.addEventListener('pointerdown', readPointer);
    chart.addEventListener('pointermove', readPointer);
    chart.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && mark());

    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length };
    chart.tabIndex = 0;
    chart.addEventListener('focus', () => mark(bars[at]));
    chart.addEventListener('blur', () => mark());
    chart.addEventListener('keydown', (event) => {
      const link = event.key === 'Enter' && bars[at].closest('a');
      if (link) window.location.href = link.href.baseVal;
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      at = Math.min(Math.max(at + step, 0), bars.length - 1);
      mark(bars[at]);
    });
  };

  document.addEventListener('DOMContentLoaded', () => {
    for (const chart of document.querySelectorAll('svg[data-months]')) readChart(chart);
    for (const bars of document.querySelectorAll('svg .bars')) readBars(bars.closest('svg'));
  });
})();
