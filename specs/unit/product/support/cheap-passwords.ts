import { createPasswords } from '../../../../sim/product/accounts/passwords.ts';

/** Passwords that cost next to nothing: what a real one costs is tested by itself. */
export const cheapPasswords = createPasswords({ ln: 1, r: 1, p: 1 });
