import type { Question } from '../../ui/dialogs/dialogs.ts';
import { m } from '../../core/i18n/generated/messages.js';

/** Returns the question about a new version. */
export const updateQuestion = (): Question => ({
  title: m.pwa_update_title(),
  text: m.pwa_update_text(),
  confirm: m.pwa_update_yes(),
  cancel: m.pwa_update_later(),
});
