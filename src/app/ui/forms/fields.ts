/** Fields that several forms have: what they take, in the words of whoever types. */
import * as v from 'valibot';
import { readContact } from '../../../protocol/product/contact.ts';
import { passwordFault } from '../../../protocol/product/password-rules.ts';
import { m } from '../../core/i18n/generated/messages.js';

const CODE_DIGITS = 6;

/** A phone or an e-mail, as somebody writes it. */
export const contactField = v.pipe(
  v.string(),
  v.check(
    (typed) => readContact(typed) !== null,
    () => m.contact_wrong(),
  ),
);

/** The code that was sent. */
export const codeField = v.pipe(
  v.string(),
  v.length(CODE_DIGITS, () => m.code_short()),
);

/** A password that is to be. */
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
