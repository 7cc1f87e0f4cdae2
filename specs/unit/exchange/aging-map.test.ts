import { describe, expect, it } from 'vitest';
import { AgingMap } from '../../../sim/exchange/limits/aging-map.ts';

const filled = (...keys: readonly string[]) => {
  const map = new AgingMap<string, number>();
  for (const [at, key] of keys.entries()) map.set(key, at);
  return map;
};

describe('a map of ages', () => {
  it('finds its oldest entry, and none in an empty map', () => {
    const map = filled('a', 'b');
    expect([map.oldest(), map.oldest()]).toEqual(['a', 'a']);
    map.delete('a');
    expect(map.oldest()).toBe('b');
    map.delete('b');
    expect(map.oldest()).toBeUndefined();
  });

  it('finds an entry that was added after it had become empty', () => {
    const map = filled('a');
    map.oldest();
    map.delete('a');
    expect(map.oldest()).toBeUndefined();
    map.set('b', 1);
    expect(map.oldest()).toBe('b');
    map.clear();
    expect(map.oldest()).toBeUndefined();
    map.set('c', 1);
    expect(map.oldest()).toBe('c');
  });

  it('skips an entry that was deleted elsewhere than at the front', () => {
    const map = filled('a', 'b', 'c');
    expect(map.oldest()).toBe('a');
    map.delete('b');
    expect(map.oldest()).toBe('a');
    map.delete('a');
    expect(map.oldest()).toBe('c');
  });

  it('counts an entry that was deleted and set again as the newest', () => {
    const map = filled('a', 'b');
    expect(map.oldest()).toBe('a');
    map.delete('a');
    map.set('a', 0);
    expect([map.oldest(), map.oldest()]).toEqual(['b', 'b']);
  });

  it('keeps the age of an entry that is set again', () => {
    const map = filled('a', 'b');
    map.oldest();
    map.set('a', 5);
    expect(map.oldest()).toBe('a');
  });

  it('drops the oldest entries up to the first that is not over', () => {
    const map = filled('a', 'b', 'c', 'd');
    const asked: string[] = [];
    map.dropOldest((value, key) => {
      asked.push(key);
      return value < 2;
    });
    expect([...map.keys()]).toEqual(['c', 'd']);
    expect(asked).toEqual(['a', 'b', 'c']);
    map.dropOldest(() => true);
    expect(map.size).toBe(0);
  });

  it('keeps its search while it has entries, and lets it go when it is empty', () => {
    const map = filled(...Array.from({ length: 100 }, (_, at) => String(at)));
    let searches = 0;
    map.keys = () => {
      searches += 1;
      return Map.prototype.keys.call(map) as MapIterator<string>;
    };
    map.dropOldest((value) => value < 50);
    map.dropOldest((value) => value < 80);
    expect([map.size, searches]).toEqual([20, 1]);
    map.dropOldest(() => true);
    map.set('a', 1);
    map.oldest();
    expect(searches).toBe(2);
    map.clear();
    map.set('b', 1);
    map.oldest();
    expect(searches).toBe(3);
  });
});
