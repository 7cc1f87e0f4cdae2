import type { Session } from '../../../../protocol/product/accounts.ts';
import { gallerySession } from '../gallery-profile.ts';
import type { Scene, Scenes, Stage } from '../scene.ts';

const path = '/settings';
const HOUR_MS = 3_600_000;
const now = Date.now();
const SOON = Date.UTC(2026, 10, 23, 4);

const here = gallerySession(now);
const elsewhere = (session_id: string, browser: string | null, system: string | null, hours: number): Session => ({
  ...{ session_id, is_this: false, browser, system },
  ...{ began_at: now - 60 * HOUR_MS, used_at: now - hours * HOUR_MS },
});
const sessions = {
  sessions: [
    here,
    elsewhere('desk', 'Samsung Internet', 'Windows', 1),
    elsewhere('phone', 'Safari', 'iPhone', 5),
    elsewhere('unknown', null, null, 30),
  ],
};
const proofs = { has_password: true, contact: 'm***@example.com', contact_from: null, cool_off_seconds: 259_200 };

/** Returns a scene with the sheet for another password. With `typed`, the sheet is filled in and sent. */
const changing = (api: Scene['api'], typed?: { readonly password: string; readonly proof: string }): Scene => ({
  path,
  api: { sessions, ownerProofs: proofs, ...api },
  async play({ shown }) {
    (await shown('[aria-labelledby=settings-security] li button')).click();
    await shown('[role=dialog] fieldset input, [role=dialog] fieldset p + p');
    if (typed === undefined) return;
    await write(shown, '[role=dialog] input[autocomplete=new-password]', typed.password);
    await write(shown, '[role=dialog] input[autocomplete=current-password]', typed.proof);
    (await shown('[role=dialog] [type=submit]')).click();
    await shown('[role=dialog] [aria-invalid=true]');
  },
});

async function write(shown: Stage['shown'], selector: string, text: string): Promise<void> {
  const input = await shown(selector);
  if (!(input instanceof HTMLInputElement)) throw new Error(`${selector} is not a text field`);
  input.setRangeText(text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

export const settingsScenes: Scenes = {
  settings: {
    path,
    api: {
      sessions,
      ownerProofs: { has_password: true, contact: null, contact_from: SOON, cool_off_seconds: 259_200 },
      blocks: { items: [{ u_id: 'leo', nickname: '志豪', profile_url: '/portraits/zhi-hao.svg', at: 0 }], next: null },
    },
  },
  'settings-install': {
    path,
    api: { deleteMe: { refused: 'wrong_credentials' } },
    play: ({ host }) => host.offerInstall(),
  },
  'settings-muted': {
    path,
    play({ services }) {
      services.sound.setPercent(40);
      services.sound.setMuted(true);
    },
  },
  'settings-password': changing({}),
  'settings-password-first': changing({ ownerProofs: { ...proofs, has_password: false } }),
  'settings-password-short': changing({}, { password: 'short', proof: 'the old one' }),
  'settings-password-refused': changing(
    { changePassword: { refused: 'weak_password', field: 'password' } },
    { password: 'correct horse', proof: 'the old one' },
  ),
  'settings-password-wrong-proof': changing(
    { changePassword: { refused: 'wrong_credentials', field: 'proof' } },
    { password: 'correct horse battery', proof: 'not the old one' },
  ),
  'settings-sessions-end': {
    path,
    api: { sessions },
    async play({ shown }) {
      (await shown('[aria-labelledby=settings-security] > button')).click();
      await shown('[role=alertdialog]');
    },
  },
  'settings-empty': { path, answers: 'empty' },
  'settings-loading': { path, answers: 'loading' },
  'settings-offline': { path, offline: true, answers: 'empty' },
  'settings-failed': { path, answers: 'failed' },
};
