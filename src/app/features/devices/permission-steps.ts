import type { Question } from '../../../ui/dialogs/dialogs.ts';
import { m } from '../../core/i18n/generated/messages.js';
import type { BrowserKind } from './browser-kind.ts';
import type { MissingDevices } from '../../../react/index.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';

/**
 * The place where a denied device can be permitted again. `dismissed`: the browser asks again. `page`: the settings of
 * the browser for this site. `system`: the settings of the operating system, which blocks the browser.
 */
export type Denial = 'dismissed' | 'page' | 'system';

/** Returns where the denied devices can be permitted again. Returns null when none is denied. */
export async function denialOf(
  missing: MissingDevices,
  permissions: Pick<DevicePermissions, 'of'>,
): Promise<Denial | null> {
  const denied = (['microphone', 'camera'] as const).filter((device) => missing[device] === 'denied');
  if (denied.length === 0) return null;
  const found = await Promise.all(denied.map((device) => permissions.of(device)));
  if (found.some((permission) => permission === 'denied' || permission === 'unknown')) return 'page';
  return found.includes('prompt') ? 'dismissed' : 'system';
}

/** Returns the steps as a question for a dialog. The user confirms it after the last step. */
export function permissionQuestion(denial: Denial, browser: BrowserKind): Question {
  const steps = permissionSteps(denial, browser).map((step, place) => `${place + 1}. ${step}`);
  return { title: m.permission_title(), text: steps.join('\n'), confirm: m.retry() };
}

/** Returns the steps that permit the devices again, in their order. */
export function permissionSteps(denial: Denial, browser: BrowserKind): readonly string[] {
  switch (denial) {
    case 'dismissed':
      return [m.permission_step_retry(), m.permission_step_choose_allow()];
    case 'system':
      return [m.permission_step_system(), m.permission_step_restart()];
    case 'page':
      return [...inBrowser[browser](), m.permission_step_back()];
    default:
      return denial satisfies never;
  }
}

const inBrowser: Readonly<Record<BrowserKind, () => string[]>> = {
  chromium: () => [m.permission_step_chromium(), m.permission_step_switch_on()],
  firefox: () => [m.permission_step_firefox(), m.permission_step_unblock()],
  safari: () => [m.permission_step_safari(), m.permission_step_set_allow()],
  'safari-ios': () => [m.permission_step_ios(), m.permission_step_set_allow()],
  other: () => [m.permission_step_other(), m.permission_step_set_allow()],
};
