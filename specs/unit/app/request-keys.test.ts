import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import { ASKED_AGAIN_MS, createRequestKeys } from '../../../src/app/core/product/request-keys.ts';

function keys(clock = { now: () => 0 }) {
  let made = 0;
  return createRequestKeys({ newId: () => `key-${(made += 1)}`, clock });
}

const [a, b] = [{ pack: 'a' }, { pack: 'b' }];

describe('the key of what is bought or given', () => {
  it('S25 is the same for the same request while nobody has answered: it is done once', () => {
    const requests = keys();
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('unreachable', ''));
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('refused', '', { status: 503 }));
    expect(requests.of('deposit', a)).toBe('key-1');
    // What cannot be read was done all the same.
    requests.settled('deposit', a, new ProductError('malformed', ''));
    expect(requests.of('deposit', a)).toBe('key-1');
  });

  it('S25 is another one after an answer, and for another request', () => {
    const requests = keys();
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, null);
    expect(requests.of('deposit', a)).toBe('key-2');
    requests.settled('deposit', a, new ProductError('refused', '', { status: 402 }));
    expect(requests.of('deposit', a)).toBe('key-3');
    expect(requests.of('deposit', b)).toBe('key-4');
    expect(requests.of('sendGift', a)).toBe('key-5');
  });

  it('S25 is kept while something else is asked for and answered', () => {
    const requests = keys();
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('unreachable', ''));
    expect(requests.of('deposit', b)).toBe('key-2');
    requests.settled('deposit', b, null);
    expect(requests.of('deposit', a)).toBe('key-1');
    expect(requests.of('deposit', b)).toBe('key-3');
  });

  it('S25 is another one for what is wanted anew, long after', () => {
    let now = 1_000;
    const requests = keys({ now: () => now });
    expect(requests.of('deposit', a)).toBe('key-1');
    requests.settled('deposit', a, new ProductError('unreachable', ''));
    now += ASKED_AGAIN_MS - 1;
    expect(requests.of('deposit', a)).toBe('key-1');
    now += 1;
    expect(requests.of('deposit', a)).toBe('key-2');
  });

  it('S25 is told from that of another card by its last digits, which are all that is kept of it', () => {
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
