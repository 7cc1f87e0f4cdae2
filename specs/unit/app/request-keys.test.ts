import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import { ASKED_AGAIN_MS, createRequestKeys } from '../../../src/app/core/product/request-keys.ts';

function keys(clock = { wallTime: () => 0 }) {
  let made = 0;
  return createRequestKeys({ newId: () => `key-${(made += 1)}`, clock });
}

const [a, b] = [{ pack: 'a' }, { pack: 'b' }];

describe('the idempotency key of a purchase or gift', () => {
  it('S25 is the same for the same request until the server answers, so the request runs once', () => {
    const requests = keys();
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('unreachable', ''));
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('refused', '', { status: 503 }));
    expect(requests.of('deposit', a)).toBe('key-1');
    // The server ran the request whose answer cannot be read.
    requests.settled('deposit', a, new ProductError('malformed', ''));
    expect(requests.of('deposit', a)).toBe('key-1');
  });

  it('S25 is new after an answer, and for another request', () => {
    const requests = keys();
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, null);
    expect(requests.of('deposit', a)).toBe('key-2');
    requests.settled('deposit', a, new ProductError('refused', '', { status: 402 }));
    expect(requests.of('deposit', a)).toBe('key-3');
    expect(requests.of('deposit', b)).toBe('key-4');
    expect(requests.of('sendGift', a)).toBe('key-5');
  });

  it('S25 stays while another request is sent and answered', () => {
    const requests = keys();
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('unreachable', ''));
    expect(requests.of('deposit', b)).toBe('key-2');
    requests.settled('deposit', b, null);
    expect(requests.of('deposit', a)).toBe('key-1');
    expect(requests.of('deposit', b)).toBe('key-3');
  });

  it('S25 is new for the same request a long time later', () => {
    let now = 1_000;
    const requests = keys({ wallTime: () => now });
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('unreachable', ''));
    now += ASKED_AGAIN_MS - 1;
    expect(requests.of('deposit', a)).toBe('key-1');
    now += 1;
    expect(requests.of('deposit', a)).toBe('key-2');
  });

  it('S25 differs between cards by their last digits, the only digits it stores', () => {
    const kept = vi.spyOn(Map.prototype, 'set');
    onTestFinished(() => kept.mockRestore());
    const requests = keys();
    const card = (card_number: string) => ({ pack: 'a', card_number });
    expect(requests.of('deposit', card('4242424242424242'))).toBe('key-1');
    expect(requests.of('deposit', card('4242424242421111'))).toBe('key-2');
    expect(requests.of('deposit', card('4242424242424242'))).toBe('key-1');
    expect(kept.mock.calls.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept.mock.calls)).not.toContain('42424242');
  });
});
