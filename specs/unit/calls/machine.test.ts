import { describe, expect, it } from 'vitest';
import { step as stepOf, timersIn, type Row, type Table } from '../../../src/calls/machine/machine.ts';
import { MachineDriver } from '../../../src/calls/machine/machine-driver.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';

/**
 * A kettle: filled, it heats until it boils or is lifted. It reports every 10 s that it is hot, and gives up after a
 * minute.
 */
const ROWS: readonly Row<string, string, string>[] = [
  { ids: [], from: 'empty', on: 'fill', to: 'cold' },
  { ids: [], from: ['cold', 'hot'], on: 'heat', to: 'heating', effects: ['switchOn', 'hum'] },
  { ids: [], from: 'heating', on: 'boil', to: 'hot', effects: ['switchOff', 'whistle'] },
  { ids: [], from: 'heating', on: 'lift', role: 'cordless', to: 'hot' },
  { ids: [], from: 'heating', on: 'lift', role: ['corded', 'stove'], effects: ['complain'] },
  { ids: [], from: ['heating', 'hot'], on: 'tick', effects: ['sayHot'] },
  { ids: [], from: ['heating', 'hot'], on: 'late', effects: ['sayLate'] },
  { ids: [], from: ['cold', 'hot'], on: 'pour', to: 'empty' },
];
const KETTLE: Table<string, string, string> = {
  name: 'kettle',
  states: ['empty', 'cold', 'heating', 'hot'],
  events: ['fill', 'heat', 'boil', 'lift', 'tick', 'late', 'pour'],
  initial: 'empty',
  final: [],
  rows: ROWS,
  entry: { hot: ['glow'], empty: ['rinse'] },
  timers: {
    hot: { ids: [], during: ['heating', 'hot'], repeats: true, raises: 'tick' },
    limit: { ids: [], during: ['heating', 'hot'], repeats: false, raises: 'late' },
    cooling: { ids: [], during: ['hot'], repeats: false, raises: 'cooled' },
  },
};
const DURATIONS: Record<string, number> = { hot: 10_000, limit: 60_000, cooling: 30_000 };

function kettle({ role = 'corded', table = KETTLE }: { role?: string; table?: typeof KETTLE } = {}) {
  const clock = new VirtualClock();
  const done: string[] = [];
  const during: Record<string, () => void> = {};
  const driver = new MachineDriver<string, string, string, string, string, Row<string, string, string>, number>(
    table,
    role,
    clock,
    {
      perform: (effect, detail) => {
        done.push(detail === undefined ? effect : `${effect} ${detail}`);
        during[effect]?.();
      },
      moved: (from, to, row, detail) =>
        done.push(`${from}>${to} on ${row.on}${detail === undefined ? '' : ` ${detail}`}`),
      refused: (state, event, reason) => {
        done.push(`${event} refused in ${state}: ${reason}`);
        during['refused']?.();
      },
      failed: (effect, error) => done.push(`${effect} failed: ${String(error)}`),
      duration: (timer) => DURATIONS[timer] ?? 0,
    },
  );
  return { driver, clock, done, during, taken: () => done.splice(0) };
}

/** The events of this table are any words. */
const step = stepOf<string, string, Row<string, string, string>>;

describe('step', () => {
  it('moves, stays, or refuses, according to the row for the state, the event and the role', () => {
    expect(step(ROWS, 'cold', 'heat')).toEqual({ kind: 'go', row: ROWS[1], to: 'heating' });
    expect(step(ROWS, 'hot', 'heat')).toEqual({ kind: 'go', row: ROWS[1], to: 'heating' });
    expect(step(ROWS, 'heating', 'lift', 'cordless')).toEqual({ kind: 'go', row: ROWS[3], to: 'hot' });
    expect(step(ROWS, 'heating', 'lift', 'stove')).toEqual({ kind: 'stay', row: ROWS[4] });
    expect(step(ROWS, 'heating', 'lift')).toEqual({ kind: 'refused', reason: 'not allowed' });
    expect(step(ROWS, 'heating', 'lift', 'cord')).toEqual({ kind: 'refused', reason: 'not allowed' });
    expect(step(ROWS, 'empty', 'pour', 'cordless')).toEqual({ kind: 'refused', reason: 'same state' });
  });

  it('DC-48 PC-23: reports the same state only where every row of the event leads there, for this role', () => {
    const rows = [...ROWS, { ids: [], from: 'hot', on: 'boil', to: 'empty' }];
    expect(step(ROWS, 'hot', 'boil')).toEqual({ kind: 'refused', reason: 'same state' });
    expect(step(ROWS, 'cold', 'boil')).toEqual({ kind: 'refused', reason: 'not allowed' });
    expect(step(rows, 'empty', 'boil')).toEqual({ kind: 'refused', reason: 'not allowed' });
    expect(step(ROWS, 'hot', 'lift', 'cordless')).toEqual({ kind: 'refused', reason: 'same state' });
    expect(step(ROWS, 'hot', 'lift', 'corded')).toEqual({ kind: 'refused', reason: 'not allowed' });
    expect(step(ROWS, 'hot', 'descale')).toEqual({ kind: 'refused', reason: 'not allowed' });
  });

  it('a row that leads to its own start state is refused, however many others there are', () => {
    const rows = [{ ids: [], from: ['cold', 'hot'], on: 'heat', to: 'hot' }];
    expect(step(rows, 'hot', 'heat')).toEqual({ kind: 'refused', reason: 'same state' });
    expect(step(rows, 'cold', 'heat')).toEqual({ kind: 'go', row: rows[0], to: 'hot' });
  });
});

describe('the timers of a state', () => {
  it('are those of the rows that include it', () => {
    expect(KETTLE.states.map((state) => timersIn(KETTLE.timers, state))).toEqual([
      [],
      [],
      ['hot', 'limit'],
      ['hot', 'limit', 'cooling'],
    ]);
  });
});

describe('the driver', () => {
  it('moves, performs the effects of the row, then those of the new state, each with the payload of the event', () => {
    const { driver, taken } = kettle();
    expect(driver.state).toBe('empty');
    driver.raise('fill');
    driver.raise('heat', 1);
    expect(taken()).toEqual(['empty>cold on fill', 'cold>heating on heat 1', 'switchOn 1', 'hum 1']);
    driver.raise('boil', 2);
    expect(taken()).toEqual(['heating>hot on boil 2', 'switchOff 2', 'whistle 2', 'glow 2']);
    expect(driver.state).toBe('hot');
  });

  it('stays when the row names no state: only the effects of the row are performed, and none of a new state', () => {
    const { driver, taken } = kettle();
    for (const event of ['fill', 'heat', 'boil']) driver.raise(event);
    taken();
    driver.raise('tick');
    expect([driver.state, taken()]).toEqual(['hot', ['sayHot']]);
  });

  it('PC-24: refuses an event without a row, reports it, and performs nothing', () => {
    const { driver, taken } = kettle();
    driver.raise('boil');
    driver.raise('pour');
    expect([driver.state, taken()]).toEqual([
      'empty',
      ['boil refused in empty: not allowed', 'pour refused in empty: same state'],
    ]);
  });

  it('reads its role at the moment of the event', () => {
    const { driver, taken } = kettle();
    for (const event of ['fill', 'heat', 'lift']) driver.raise(event);
    expect([driver.state, taken().at(-1)]).toEqual(['heating', 'complain']);
    driver.role = 'cordless';
    driver.raise('lift');
    expect(driver.state).toBe('hot');
  });

  it('handles events that an effect raises in order, after the present one', () => {
    const { driver, during, taken } = kettle();
    during['switchOn'] = () => {
      driver.raise('boil', 1);
      driver.raise('pour', 2);
    };
    for (const event of ['fill', 'heat']) driver.raise(event);
    expect(taken()).toEqual([
      'empty>cold on fill',
      'cold>heating on heat',
      'switchOn',
      'hum',
      'heating>hot on boil 1',
      'switchOff 1',
      'whistle 1',
      'glow 1',
      'hot>empty on pour 2',
      'rinse 2',
    ]);
  });

  it('performs the effects after one that throws, and reports the one that threw', () => {
    const { driver, during, taken } = kettle();
    during['switchOff'] = () => {
      throw new Error('stuck');
    };
    for (const event of ['fill', 'heat']) driver.raise(event);
    taken();
    driver.raise('boil');
    expect(taken()).toEqual(['heating>hot on boil', 'switchOff', 'switchOff failed: Error: stuck', 'whistle', 'glow']);
  });

  it('handles the next event after a hook that threw', () => {
    const { driver, during } = kettle();
    during['refused'] = () => {
      throw new Error('no log');
    };
    expect(() => driver.raise('boil')).toThrow('no log');
    driver.raise('fill');
    expect(driver.state).toBe('cold');
  });
});

describe('its timers', () => {
  const due = (clock: VirtualClock) => clock.pending.map(({ dueIn }) => dueIn);

  it('start with the first state they include, continue into the next, and end with the last', async () => {
    const { driver, clock, taken } = kettle();
    driver.raise('fill');
    expect(due(clock)).toEqual([]);
    driver.raise('heat');
    expect(due(clock)).toEqual([10_000, 60_000]);
    await clock.advance(4_000);
    driver.raise('boil');
    expect(due(clock)).toEqual([6_000, 30_000, 56_000]);
    driver.raise('pour');
    taken();
    expect(due(clock)).toEqual([]);
    await clock.advance(300_000);
    expect(taken()).toEqual([]);
  });

  it('fire once or repeatedly; a repeating one ends with its state as well', async () => {
    const { driver, clock, taken } = kettle();
    for (const event of ['fill', 'heat']) driver.raise(event);
    taken();
    await clock.advance(120_000);
    expect(taken()).toEqual([
      ...Array<string>(5).fill('sayHot'),
      // Due at one instant, they fire in the order of their start.
      ...['sayHot', 'sayLate'],
      ...Array<string>(6).fill('sayHot'),
    ]);
    driver.raise('boil');
    driver.raise('pour');
    taken();
    await clock.advance(120_000);
    expect(taken()).toEqual([]);
  });

  it('start anew after firing, with the next state they include', async () => {
    const { driver, clock } = kettle();
    for (const event of ['fill', 'heat']) driver.raise(event);
    await clock.advance(60_000);
    expect(due(clock)).toEqual([10_000]);
    driver.raise('boil');
    expect(due(clock)).toEqual([10_000, 30_000, 60_000]);
  });
});
