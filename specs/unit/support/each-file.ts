/**
 * Runs before each file of tests: the files of a process share their modules, and the previous one may have set a
 * language.
 */
import { baseLocale, overwriteGetLocale } from '../../../src/app/core/i18n/generated/runtime.js';

overwriteGetLocale(() => baseLocale);
