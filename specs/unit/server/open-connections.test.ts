import { describe, expect, it } from 'vitest';
import { BodyMemory } from '../../../sim/server/body-memory.ts';
import { OpenConnections } from '../../../sim/server/open-connections.ts';

describe('open connections', () => {
  it('S14: are limited for each address, and one that closes, once or twice, frees one place', () => {
    const connections = new OpenConnections(2);
    const first = connections.open('192.0.2.1');
    expect([first, connections.open('192.0.2.1')]).not.toContain(null);
    expect(connections.open('192.0.2.1')).toBeNull();
    expect(connections.open('192.0.2.2')).not.toBeNull();
    first?.();
    first?.();
    expect(connections.open('192.0.2.1')).not.toBeNull();
    expect(connections.open('192.0.2.1')).toBeNull();
  });

  it('are not limited for loopback addresses', () => {
    const connections = new OpenConnections(1);
    for (const address of ['127.0.0.1', '::1']) {
      expect([connections.open(address), connections.open(address)]).not.toContain(null);
    }
  });
});

describe('the memory for bodies', () => {
  it('S14: is limited in all and for each address, and is freed again', () => {
    const memory = new BodyMemory({ most: 10, mostOfOneAddress: 4 });
    expect(memory.take('192.0.2.1', 4)).toBe(true);
    expect(memory.take('192.0.2.1', 1)).toBe(false);
    expect(memory.take('192.0.2.2', 4)).toBe(true);
    expect(memory.take('192.0.2.3', 3)).toBe(false);
    expect(memory.taken).toBe(8);
    memory.give('192.0.2.1', 4);
    expect(memory.take('192.0.2.3', 3)).toBe(true);
    expect(memory.take('127.0.0.1', 3)).toBe(true);
    expect(memory.taken).toBe(10);
  });
});
