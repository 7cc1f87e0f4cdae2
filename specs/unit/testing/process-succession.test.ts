import { expect, it } from 'vitest';
import { ProcessSuccession } from '../../../cli/testing/process-succession.ts';

function succession() {
  const forked: { isReady: boolean; isLost: boolean; worlds: number; isRetired: boolean; retire(): void }[] = [];
  const processes = new ProcessSuccession(() => {
    const made = {
      isReady: false,
      isLost: false,
      worlds: 0,
      isRetired: false,
      retire: () => void (made.isRetired = true),
    };
    forked.push(made);
    return made;
  }, 2);
  return { forked, processes };
}

it('replaces a process after its last world, when the next one has loaded', () => {
  const { forked, processes } = succession();
  const first = processes.take();
  first.worlds = 2;
  expect(processes.take()).toBe(first);
  expect(forked).toHaveLength(2);
  Object.assign(forked[1] ?? {}, { isReady: true });
  expect(processes.take()).toBe(forked[1]);
  expect(first.isRetired).toBe(true);
});

it('takes no process that has ended, neither in use nor while it loads', () => {
  const { forked, processes } = succession();
  const first = processes.take();
  first.worlds = 2;
  processes.take();
  Object.assign(forked[1] ?? {}, { isReady: true, isLost: true });
  expect(processes.take()).toBe(first);
  expect(forked).toHaveLength(3);
  first.isLost = true;
  Object.assign(forked[2] ?? {}, { isLost: true });
  expect(processes.take().isLost).toBe(false);
});
