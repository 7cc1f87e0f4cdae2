import { describe, expect, it } from 'vitest';
import { createDisposalStack } from '../../../src/app/core/disposal/disposal-stack.ts';

describe('a disposal stack', () => {
  it('undoes the actions in reverse order', () => {
    const undone: string[] = [];
    const disposal = createDisposalStack();
    disposal.add(
      () => undone.push('first'),
      () => undone.push('second'),
    );
    const service = { dispose: () => void undone.push('service') };
    expect(disposal.keep(service)).toBe(service);
    disposal.dispose();
    expect(undone).toEqual(['service', 'second', 'first']);
  });

  it('undoes each action once', () => {
    let count = 0;
    const disposal = createDisposalStack();
    disposal.add(() => (count += 1));
    disposal.dispose();
    disposal.dispose();
    expect(count).toBe(1);
  });
});
