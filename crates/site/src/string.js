// Shows the string that the fragment of the address names. Strings are in shards, scripts with a part of them each, because
// pages that were opened as files cannot load anything else.
'use strict';

(() => {
  const place = document.getElementById('string');
  const own = Number(place.dataset.translation);
  const start = place.innerHTML;
  const title = document.title;
  const strings = new Map();
  const others = new Map();
  const { size, checksums } = window.gitglotAll;

  /** Called by each shard. */
  window.gitglotStrings = (number, content) => strings.set(number, content);
  window.gitglotOthers = (number, content) => others.set(number, content);

  const pending = new Map();
  /** Loads a shard once. */
  const load = (name) => {
    if (!pending.has(name)) {
      pending.set(name, new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = name;
        script.onload = resolve;
        script.onerror = resolve;
        document.head.append(script);
      }));
    }
    return pending.get(name);
  };

  const show = async () => {
    const wanted = window.location.hash.slice(1);
    const index = checksums.indexOf(wanted);
    const shard = Math.floor(index / size);
    if (index >= 0) await Promise.all([load(`${shard}.js`), load(`../../~others/${shard}.js`)]);
    if (wanted !== window.location.hash.slice(1)) return;
    const main = index < 0 ? null : (strings.get(shard) || [])[index % size];
    if (!main) {
      place.innerHTML = start;
      document.title = title;
      if (wanted) document.getElementById('nothing').prepend('This string does not exist in this language any more. ');
      return;
    }
    const rows = ((others.get(shard) || [])[index % size] || []).filter((_, language) => language !== own);
    place.innerHTML = main.replace('<!--others-->', () => rows.join(''));
    // Its only language needs no table of other ones.
    if (!rows.some((row) => row)) place.querySelector('section[aria-labelledby="others"]')?.remove();
    document.title = `${place.querySelector('h1').textContent} · ${title}`;
    window.scrollTo(0, 0);
  };
  window.addEventListener('hashchange', show);
  show();
})();
