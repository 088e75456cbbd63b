// Announces changes that are newer than the page. The page is complete without this script.
'use strict';

(() => {
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

  document.addEventListener('DOMContentLoaded', () => listen(document.body.dataset.events));
})();
