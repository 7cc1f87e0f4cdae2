/** Schemas of fields that several forms share, with messages for the user who fills them in. */
import * as v from 'valibot';
import { readContact } from '../../../protocol/product/contact.ts';
import { passwordFault } from '../../../protocol/product/password-rules.ts';
import { m } from '../../core/i18n/generated/messages.js';

const CODE_DIGITS = 6;

/** A phone number or an e-mail address, in any usual notation. */
export const contactField = v.pipe(
  v.string(),
  v.check(
    (typed) => readContact(typed) !== null,
    () => m.contact_wrong(),
  ),
);

/** A code that the server sent to the user. */
export const codeField = v.pipe(
  v.string(),
  v.length(CODE_DIGITS, () => m.code_short()),
);

/** A new password. */
export const newPasswordField = v.pipe(
  v.string(),
  v.check(
    (password) => passwordFault(password) !== 'short',
    () => m.password_short(),
  ),
  v.check(
    (password) => passwordFault(password) === null,
    () => m.refusal_weak_password(),
  ),
);
