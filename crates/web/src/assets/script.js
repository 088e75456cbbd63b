// Optional extras: choice of theme, local times, chart values under the pointer, and a note about new changes. Every page
// works without this script.
'use strict';

(() => {
  const root = document.documentElement;
  const themes = [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']];

  /** The stored theme. Storage may be unavailable. */
  const chosen = () => {
    try {
      return localStorage.getItem('theme') || 'auto';
    } catch {
      return 'auto';
    }
  };
  const applyTheme = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  // Before the first paint.
  applyTheme(chosen());

  /** Adds the theme selector to the page header. */
  const offerThemes = () => {
    const select = document.createElement('select');
    select.className = 'theme';
    select.setAttribute('aria-label', 'Theme');
    for (const [value, name] of themes) select.add(new Option(name, value, false, value === chosen()));
    select.addEventListener('change', () => {
      applyTheme(select.value);
      try {
        localStorage.setItem('theme', select.value);
      } catch {
        // The choice lasts until the page is closed.
      }
    });
    document.querySelector('.top').append(select);
  };

  const two = (number) => String(number).padStart(2, '0');
  const day = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

  /** Shows dates in the local time zone; the tooltip has the exact time, local and in UTC. */
  const localTimes = () => {
    const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
    for (const time of document.querySelectorAll('time[datetime]')) {
      const date = new Date(time.dateTime);
      if (Number.isNaN(date.getTime())) continue;
      time.textContent = day(date);
      time.title = `${exact.format(date)} (${time.title})`;
    }
  };

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

  /** Adds a button that copies the Markdown of a badge. */
  const offerCopy = (code) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy the Markdown of ${code.closest('tr').cells[0].textContent}`);
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        // Without permission, the text is selected for the keyboard.
        getSelection().selectAllChildren(code);
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    code.after(' ', button);
  };

  /** Delay before reconnecting to a broken stream in seconds: initial and maximum. */
  const [MIN_DELAY, MAX_DELAY] = [5, 300];

  /** Counts changes since the page was loaded. Listens only while the page is visible. */
  const listen = (events) => {
    const note = document.createElement('p');
    note.className = 'news';
    note.setAttribute('role', 'status');
    document.querySelector('main').prepend(note);
    const url = new URL(events, location.href);
    let [count, wait, stream, timer] = [0, MIN_DELAY, undefined, undefined];
    const close = () => {
      stream?.close();
      clearTimeout(timer);
    };
    const open = () => {
      close();
      stream = new EventSource(url);
      stream.onopen = () => {
        wait = MIN_DELAY;
      };
      stream.addEventListener('change', (event) => {
        count += 1;
        // Resume here after reconnecting.
        url.searchParams.set('last_event_id', event.lastEventId);
        const link = document.createElement('a');
        link.href = location.href;
        link.textContent = 'Show';
        note.replaceChildren(`${count} new change${count === 1 ? '' : 's'} since this page was loaded. `, link);
      });
      stream.onerror = () => {
        close();
        timer = setTimeout(open, wait * 1000);
        wait = Math.min(wait * 2, MAX_DELAY);
      };
    };
    document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
    addEventListener('pagehide', close);
    if (!document.hidden) open();
  };

  document.addEventListener('DOMContentLoaded', () => {
    offerThemes();
    localTimes();
    for (const chart of document.querySelectorAll('svg[data-months]')) readChart(chart);
    for (const code of document.querySelectorAll('.badges td code')) offerCopy(code);
    const later = document.querySelector('[data-retry]');
    if (later) setTimeout(() => location.reload(), later.dataset.retry * 1000);
    if (document.body.dataset.events) listen(document.body.dataset.events);
  });
})();
