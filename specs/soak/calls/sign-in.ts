/** Signs the devices of a soak run in. */
import type { Soak } from '../soak-run.ts';
import type { SoakDevice } from './soak-device.ts';

const AT_ONCE = 16;
/** A message may be lost, and a server may be busy, so a device tries again, as a user does. */
const TRIES = 5;

/** Signs all devices in, several at once. Rejects when a device fails {@link TRIES} times. */
export async function signAllIn(soak: Soak, devices: readonly SoakDevice[]): Promise<void> {
  const waiting = [...devices];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let device = waiting.pop(); device; device = waiting.pop()) {
        await signIn(device);
        soak.say(`${devices.length - waiting.length} of ${devices.length} devices are signed in`);
      }
    }),
  );
}

async function signIn(device: SoakDevice): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await device.signIn();
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}
