import { describe, expect, it } from 'vitest';
import { ProductError } from '../../../src/app/product/product-error.ts';
import { createRequestKeys } from '../../../src/app/product/request-keys.ts';

function keys() {
  let made = 0;
  return createRequestKeys(() => `key-${(made += 1)}`);
}

describe('the key of what is bought or given', () => {
  it('S25 is the same for the same request while nobody has answered: it is done once', () => {
    const requests = keys();
    expect(requests.of({ pack: 'a' })).toBe('key-1');
    requests.settled(new ProductError('unreachable', ''));
    expect(requests.of({ pack: 'a' })).toBe('key-1');
    requests.settled(new ProductError('refused', '', { status: 503 }));
    expect(requests.of({ pack: 'a' })).toBe('key-1');
    // What cannot be read was done all the same.
    requests.settled(new ProductError('malformed', ''));
    expect(requests.of({ pack: 'a' })).toBe('key-1');
  });

  it('S25 is another one after an answer, and for another request', () => {
    const requests = keys();
    expect(requests.of({ pack: 'a' })).toBe('key-1');
    requests.settled(null);
    expect(requests.of({ pack: 'a' })).toBe('key-2');
    requests.settled(new ProductError('refused', '', { status: 402 }));
    expect(requests.of({ pack: 'a' })).toBe('key-3');
    expect(requests.of({ pack: 'b' })).toBe('key-4');
  });
});
