import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/app/core/config/read-config.ts';
import { safeImageUrl } from '../../../src/app/ui/people/safe-image-url.ts';

const settings = {
  app_id: 'app-1',
  api_url: 'http://localhost:4600/',
  ws_url: 'ws://localhost:4600/',
  calling_api_url: 'http://localhost:4600/v1',
  calling_ws_url: 'ws://localhost:4600',
};

describe('configuration', () => {
  it('CFG-01: settings come from the global configuration object, which holds ws_url', () => {
    expect(readConfig({ __CONFIG__: settings })).toMatchObject({
      ws_url: 'ws://localhost:4600',
      api_url: 'http://localhost:4600',
      app_id: 'app-1',
    });
  });

  it('CFG-01: without the object the app reports what is missing', () => {
    expect(() => readConfig({})).toThrow(/__CONFIG__/);
  });

  it('CFG-01: names every faulty setting', () => {
    const { ws_url: _dropped, ...rest } = settings;
    expect(() => readConfig({ __CONFIG__: { ...rest, app_id: 7 } })).toThrow(/app_id.*ws_url/s);
  });
});

describe('addresses of pictures', () => {
  const server = 'https://api.test/v1';

  it('are https or relative to the server; http is allowed where the server has no https either', () => {
    expect(safeImageUrl('/portraits/mina.svg', server)).toBe('https://api.test/portraits/mina.svg');
    expect(safeImageUrl('https://cdn.test/a.png', server)).toBe('https://cdn.test/a.png');
    expect(safeImageUrl('http://cdn.test/a.png', 'http://localhost:4870')).toBe('http://cdn.test/a.png');
  });

  it.each([
    '',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    'blob:https://api.test/1',
    'file:///etc/passwd',
    'http://cdn.test/a.png',
    'http://',
    '//evil.test/a.png',
    '/\\evil.test/a.png',
    '\\\\evil.test\\a.png',
    ' //evil.test/a.png',
    'https:/\\evil.test/a.png',
  ])('OVL-01 B74: %o gets the placeholder', (url) => {
    expect(safeImageUrl(url, server)).toBeNull();
  });
});
