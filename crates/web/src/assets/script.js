// Optional extras of all pages: choice of theme, local times, and buttons that copy. Every page works without this script.
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

  /** The keys for the previous and the next string or page, as in Weblate. */
  const steps = { PageUp: 'prev', PageDown: 'next' };
  const offerKeys = () => {
    for (const [key, rel] of Object.entries(steps)) {
      const link = document.querySelector(`main a[rel="${rel}"]`);
      if (!link) continue;
      link.title = `Alt + ${key.replace('Page', 'Page ')}`;
      link.setAttribute('aria-keyshortcuts', `Alt+${key}`);
    }
    document.addEventListener('keydown', (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in steps)) return;
      const link = document.querySelector(`main a[rel="${steps[event.key]}"]`);
      if (!link) return;
      event.preventDefault();
      link.click();
    });
  };

  document.addEventListener('DOMContentLoaded', () => {
    offerThemes();
    localTimes();
    offerKeys();
    for (const code of document.querySelectorAll('.badges td code')) offerCopy(code);
    const later = document.querySelector('[data-retry]');
    if (later) setTimeout(() => location.reload(), later.dataset.retry * 1000);
  });
})();
