import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const README = readFileSync('README.md', 'utf8');
const SCENARIO = 'fixtures/scenarios/faults/missed-cancel.yaml';
const MOST_BYTES = 150_000;

describe('README.md', () => {
  it('quotes the scenario of its ladder exactly as in its file', () => {
    const [, printed] = /```yaml\n([^]*?)```/.exec(README) ?? [];
    expect(printed).toBe(readFileSync(SCENARIO, 'utf8'));
  });

  it('has pictures that load fast', () => {
    const pictures = [...README.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(pictures).toEqual(['docs/pictures/app.webp', 'docs/pictures/missed-cancel.svg']);
    for (const path of pictures) expect(statSync(path).size, path).toBeLessThan(MOST_BYTES);
  });

  it('names the command that runs every check and test', () => {
    expect(README).toMatch(/^make test\b/m);
  });
});
