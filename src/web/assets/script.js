// What pages do beside being read: a choice of theme, times in the reader's zone, figures under the pointer, and a note
// when something new has happened. Every page says all it has to say without this.
'use strict';

(() => {
  const root = document.documentElement;
  const themes = [['auto', 'Auto'], ['light', 'Light'], ['dark', 'Dark']];

  /** The theme that was chosen before; a browser may keep nothing. */
  const chosen = () => {
    try {
      return localStorage.getItem('theme') || 'auto';
    } catch {
      return 'auto';
    }
  };
  const dress = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  // Before anything is painted.
  dress(chosen());

  /** A choice of theme at the end of the head of the page. */
  const offerThemes = () => {
    const select = document.createElement('select');
    select.className = 'theme';
    select.setAttribute('aria-label', 'Theme');
    for (const [value, name] of themes) select.add(new Option(name, value, false, value === chosen()));
    select.addEventListener('change', () => {
      dress(select.value);
      try {
        localStorage.setItem('theme', select.value);
      } catch {
        // Then it lasts as long as the page.
      }
    });
    document.querySelector('.top').append(select);
  };

  const two = (number) => String(number).padStart(2, '0');
  const day = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

  /** Days as they are where the reader is; the exact time, there and in UTC, is told to who asks. */
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
  const said = (tenths) => `${tenths % 10 ? (tenths / 10).toFixed(1) : tenths / 10} %`;

  /** How far a line is at a month, in tenths of a percent; between two of its points it is straight. */
  const height = (points, at) => {
    const next = points.findIndex(([x]) => x >= at);
    if (next <= 0) return points[Math.max(next, 0)][1];
    const [[x, y], [toX, toY]] = [points[next - 1], points[next]];
    return Math.round(y + ((at - x) / (toX - x)) * (toY - y));
  };

  /** Names language, month and figure of the line that is nearest to the pointer. */
  const readChart = (chart) => {
    const area = chart.querySelector('.area');
    const lines = [...chart.querySelectorAll('.line')].map((line) => ({
      line,
      name: line.dataset.name,
      points: line.querySelector('polyline').getAttribute('points').split(' ')
        .map((point) => point.split(',').map(Number)).map(([x, y]) => [x, 1000 - y]),
    }));
    const out = chart.parentElement.querySelector('.reading');
    if (!area || !out || !lines.length) return;
    const still = out.textContent;
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
      const off = ({ points }) => Math.abs(height(points, at) - wanted);
      const near = lines.reduce((best, line) => (off(line) < off(best) ? line : best));
      mark(near.line);
      out.textContent = `${near.name}, ${month(first, at)}: ${said(height(near.points, at))}`;
    });
    chart.addEventListener('pointerleave', () => {
      mark();
      out.textContent = still;
    });
  };

  /** Seconds until a broken stream is asked for again, at first and at most. */
  const [SOON, LATE] = [5, 300];

  /** Says how many changes there were since the page was made. It listens only while the page is seen. */
  const listen = (events) => {
    const note = document.createElement('p');
    note.className = 'news';
    note.setAttribute('role', 'status');
    document.querySelector('main').prepend(note);
    const address = new URL(events, location.href);
    let [count, wait, stream, timer] = [0, SOON, undefined, undefined];
    const close = () => {
      stream?.close();
      clearTimeout(timer);
    };
    const open = () => {
      close();
      stream = new EventSource(address);
      stream.onopen = () => {
        wait = SOON;
      };
      stream.addEventListener('change', (event) => {
        count += 1;
        // Where to go on when it is listened again.
        address.searchParams.set('last_event_id', event.lastEventId);
        const link = document.createElement('a');
        link.href = location.href;
        link.textContent = 'Show';
        note.replaceChildren(`${count} new change${count === 1 ? '' : 's'} since this page was made. `, link);
      });
      stream.onerror = () => {
        close();
        timer = setTimeout(open, wait * 1000);
        wait = Math.min(wait * 2, LATE);
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
    const later = document.querySelector('[data-retry]');
    if (later) setTimeout(() => location.reload(), later.dataset.retry * 1000);
    if (document.body.dataset.events) listen(document.body.dataset.events);
  });
})();
