import { createPasswords } from '../../../../sim/product/accounts/passwords.ts';

/** Passwords with a minimal cost. The real cost has a separate test. */
export const cheapPasswords = createPasswords({ ln: 1, r: 1, p: 1 });
