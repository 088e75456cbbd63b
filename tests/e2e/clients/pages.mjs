// What the scripts share that look at pages in a browser: complaints of the browser, axe, and the width of the screen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { HtmlValidate } from 'html-validate';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** Light and dark, narrow and wide. */
const looks = ['light', 'dark'].flatMap((colorScheme) => [380, 1200].map((width) => ({ colorScheme, width })));

export const markup = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'no-trailing-whitespace': 'off', 'doctype-style': 'off', 'long-title': 'off' },
});

export const launch = (executablePath) => chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] });

/** A page that records errors and warnings of the browser, and requests to other places than `base`. */
export async function open(browser, base, options) {
  const context = await browser.newContext(options);
  // CI machines are busy.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => request.url().startsWith(base) || complaints.push(`asked for ${request.url()}`));
  return { context, page, complaints };
}

/** Checks pages with axe, and that they are not wider than the screen. `visit` opens one of them. */
export async function audit(browser, base, pages, visit) {
  for (const { colorScheme, width } of looks) {
    const { context, page, complaints } = await open(browser, base, { colorScheme, bypassCSP: true, viewport: { width, height: 800 } });
    for (const path of pages) {
      const where = `${path}, ${colorScheme}, ${width} wide`;
      await visit(page, path, where);
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      assert.ok(scrollWidth <= clientWidth, `${where}: wider than the screen`);
      // The findings of axe depend on colours and on width, but not on their combination.
      if ((colorScheme === 'dark') !== (width === 380)) continue;
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      const found = violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0].html}`);
      assert.deepEqual(found, [], where);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
}
