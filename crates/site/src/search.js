// Searches the strings of the site in the browser. The index is a script per component with keys and source texts, and
// one per translation with its texts, because pages that were opened as files cannot load anything else. They are loaded
// when they are needed first.
'use strict';

(() => {
  /** The most results that are shown. */
  const MOST = 200;
  const { components } = window.gitglotCatalog;
  const form = document.getElementById('search');
  const found = document.getElementById('found');
  const table = document.getElementById('results');
  const hint = found.textContent;
  const loaded = new Map();

  /** Called by each part of the index. */
  window.gitglotIndex = (name, part) => {
    part.lower = {};
    for (const field of ['keys', 'sources', 'targets']) {
      if (part[field]) part.lower[field] = part[field].map((text) => text.toLowerCase());
    }
    loaded.set(name, part);
  };

  const pending = new Map();
  /** Loads a part of the index once. */
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

  /** The terms of a search: all have to match. */
  const parse = (text) => (text.match(/(?:[a-z]+:)?"[^"]*"?|\S+/g) || []).map((word) => {
    const [, field, rest] = word.match(/^(?:(key|source|target):)?(.*)$/s);
    return { field, text: rest.replace(/^"|"$/g, '').toLowerCase() };
  }).filter((term) => term.text);

  const matches = (term, key, source, target) => {
    if (term.field === 'key') return key.includes(term.text);
    if (term.field === 'source') return source.includes(term.text);
    if (term.field === 'target') return target.includes(term.text);
    return source.includes(term.text) || target.includes(term.text) || key.includes(term.text);
  };

  /** The components and languages to search. */
  const selected = () => components
    .filter((it) => !form.project.value || it.project === form.project.value)
    .map((it) => ({ ...it, languages: it.languages.filter(([code]) => !form.lang.value || code === form.lang.value) }))
    .filter((it) => it.languages.length);

  /** The strings that match, each once: in the first language that matches. The source language is the first. */
  const search = (terms) => {
    const results = [];
    for (const component of selected()) {
      const rows = loaded.get(component.file);
      if (!rows) continue;
      const { keys, sources } = rows.lower;
      const texts = component.languages.map(([code, name, file, path]) => ({ code, name, path, of: loaded.get(file) }))
        .filter(({ of }) => of);
      for (let row = 0; row < keys.length; row += 1) {
        for (const { code, name, path, of } of texts) {
          if (terms.every((term) => matches(term, keys[row], sources[row], of.lower.targets[row] || ''))) {
            if (results.length >= MOST) return { results, more: true };
            const hasPage = of.pages === true || (of.pages && of.pages.includes(row));
            results.push({
              key: rows.keys[row],
              source: rows.sources[row],
              target: of.targets[row] || '',
              place: `${component.name}, ${name}`,
              code,
              sourceCode: component.source,
              href: hasPage ? `../${path}checksum=${rows.checksums[row]}/index.html` : null,
            });
            break;
          }
        }
      }
    }
    return { results, more: false };
  };

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const shown = (text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
  const cell = (text, code) => {
    const made = document.createElement('td');
    made.append(element('bdi', shown(text), { lang: code.replaceAll('_', '-'), dir: 'auto' }));
    return made;
  };

  const show = ({ results, more }) => {
    const rows = results.map((it) => {
      const row = document.createElement('tr');
      const head = element('th', '', { scope: 'row' });
      head.append(
        it.href ? element('a', shown(it.key), { href: it.href }) : element('span', shown(it.key)),
        ' ',
        element('small', it.place, { class: 'quiet' }),
      );
      row.append(head, cell(it.source, it.sourceCode), cell(it.target, it.code));
      return row;
    });
    table.tBodies[0].replaceChildren(...rows);
    table.hidden = !rows.length;
    const count = `${results.length} string${results.length === 1 ? '' : 's'}`;
    found.textContent = more ? `More than ${count}; the first are listed.` : `${count}.`;
  };

  let run = 0;
  const update = async () => {
    run += 1;
    const current = run;
    const terms = parse(form.q.value);
    if (!terms.length) {
      table.hidden = true;
      found.textContent = hint;
      return;
    }
    const parts = selected().flatMap((it) => [it.file, ...it.languages.map(([, , file]) => file)]);
    if (parts.some((part) => !loaded.has(part))) {
      found.textContent = 'Loading…';
      await Promise.all(parts.map(load));
      if (current !== run) return;
    }
    show(search(terms));
  };

  const query = new URLSearchParams(location.search);
  for (const name of ['q', 'project', 'lang']) {
    if (query.get(name)) form[name].value = query.get(name);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    update();
  });
  form.addEventListener('input', update);
  update();
})();
