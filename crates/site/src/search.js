// Searches the strings of the site in the browser. The index is a script per component with keys and source texts, and
// one per translation with its texts, because pages that were opened as files cannot load anything else. They are loaded
// when they are needed first.
'use strict';

(() => {
  /** The most results that are shown, and those that are shown at once. */
  const MOST = 200;
  const FIRST = 30;
  const { components } = window.gitglotCatalog;
  const form = document.getElementById('search');
  const fields = form.elements;
  const found = document.getElementById('found');
  const table = document.getElementById('results');
  const hint = found.textContent;
  const loaded = new Map();

  /** Texts as one string in lower case, with the start of each: searching it is much faster than searching each text. */
  const joined = (texts) => {
    const lower = texts.map((text) => text.toLowerCase());
    const starts = new Uint32Array(lower.length);
    let at = 0;
    lower.forEach((text, row) => {
      starts[row] = at;
      at += text.length + 1;
    });
    return { text: lower.join('\0'), starts };
  };

  /** Marks the rows before `end` whose text contains a word. */
  const mark = ({ text, starts }, word, marks, end) => {
    const searched = end < starts.length ? text.slice(0, starts[end]) : text;
    let row = 0;
    let at = searched.indexOf(word);
    while (at >= 0) {
      while (row + 1 < end && starts[row + 1] <= at) row += 1;
      marks[row] = 1;
      at = row + 1 < end ? searched.indexOf(word, starts[row + 1]) : -1;
    }
  };

  /** Called by each part of the index. */
  window.gitglotIndex = (name, part) => {
    part.joined = {};
    for (const field of ['keys', 'sources', 'targets']) {
      if (part[field]) part.joined[field] = joined(part[field]);
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

  /** The components and languages to search. */
  const selected = () => components
    .filter((it) => !fields.project.value || it.project === fields.project.value)
    .map((it) => ({ ...it, languages: it.languages.filter(([code]) => !fields.lang.value || code === fields.lang.value) }))
    .filter((it) => it.languages.length);

  /** For each row of a component, the first language in which all terms match, or -1: up to the row with result `most`.
   *  The source language is the first. */
  const firstLanguages = (rows, texts, terms, most) => {
    let end = rows.keys.length;
    let count = 0;
    const shared = terms.map(({ field, text }) => {
      const marks = new Uint8Array(end);
      if (!field || field === 'key') mark(rows.joined.keys, text, marks, end);
      if (!field || field === 'source') mark(rows.joined.sources, text, marks, end);
      return marks;
    });
    const first = new Int32Array(end).fill(-1);
    texts.forEach(({ of }, language) => {
      const marks = terms.map(({ field, text }, at) => {
        if (field && field !== 'target') return shared[at];
        const own = shared[at].slice(0, end);
        mark(of.joined.targets, text, own, end);
        return own;
      });
      for (let row = 0; row < end; row += 1) {
        if (first[row] < 0 && marks.every((own) => own[row])) {
          first[row] = language;
          count += 1;
        }
      }
      // Further languages can only add results before these.
      for (; count > most; end -= 1) count -= first[end - 1] < 0 ? 0 : 1;
    });
    return first.subarray(0, end);
  };

  /** The strings that match, each once: in the first language that matches. */
  const search = (terms) => {
    const results = [];
    for (const component of selected()) {
      const rows = loaded.get(component.file);
      if (!rows) continue;
      const texts = component.languages.map(([code, name, file, path]) => ({ code, name, path, of: loaded.get(file) }))
        .filter(({ of }) => of);
      // One more than can be shown.
      const first = firstLanguages(rows, texts, terms, MOST + 1 - results.length);
      for (let row = 0; row < first.length; row += 1) {
        if (first[row] < 0) continue;
        if (results.length >= MOST) return { results, more: true };
        const { code, name, path, of } = texts[first[row]];
        const checksum = rows.checksums[row];
        const isPacked = typeof of.pages === 'string';
        const hasPage = of.pages === true || (of.pages && of.pages.includes(row));
        const page = isPacked ? `${of.pages}/index.html#${checksum}` : `checksum=${checksum}/index.html`;
        results.push({
          // Strings of bilingual files can lack a key.
          key: rows.keys[row] || rows.sources[row],
          source: rows.sources[row],
          // The template has no translation.
          target: code === component.source ? '' : of.targets[row] || '',
          place: `${component.name}, ${name}`,
          code,
          sourceCode: component.source,
          href: isPacked || hasPage ? `../${path}${page}` : null,
        });
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

  const tableRow = (it) => {
    const row = document.createElement('tr');
    const head = element('th', '', { scope: 'row' });
    head.append(
      it.href ? element('a', shown(it.key), { href: it.href }) : element('span', shown(it.key)),
      ' ',
      element('small', it.place, { class: 'quiet' }),
    );
    row.append(head, cell(it.source, it.sourceCode), cell(it.target, it.code));
    return row;
  };

  let rest;
  const show = ({ results, more }) => {
    const [body] = table.tBodies;
    body.replaceChildren(...results.slice(0, FIRST).map(tableRow));
    clearTimeout(rest);
    // The first rows are there while someone types.
    if (results.length > FIRST) rest = setTimeout(() => body.append(...results.slice(FIRST).map(tableRow)), 100);
    table.hidden = !results.length;
    const count = `${results.length} string${results.length === 1 ? '' : 's'}`;
    found.textContent = more ? `More than ${count}; the first are listed.` : `${count}.`;
  };

  let run = 0;
  const update = async () => {
    run += 1;
    const current = run;
    const terms = parse(fields.q.value);
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
    if (query.get(name)) fields[name].value = query.get(name);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    update();
  });
  form.addEventListener('input', update);
  update();
})();
