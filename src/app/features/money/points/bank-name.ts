import type { BankCode } from '../../../../protocol/product/points.ts';
import { m } from '../../../core/i18n/generated/messages.js';

const NAMES: Readonly<Record<BankCode, () => string>> = {
  '004': m.bank_004,
  '005': m.bank_005,
  '006': m.bank_006,
  '007': m.bank_007,
  '008': m.bank_008,
  '009': m.bank_009,
  '011': m.bank_011,
  '012': m.bank_012,
  '013': m.bank_013,
  '017': m.bank_017,
  '050': m.bank_050,
  '700': m.bank_700,
  '805': m.bank_805,
  '806': m.bank_806,
  '807': m.bank_807,
  '808': m.bank_808,
  '809': m.bank_809,
  '812': m.bank_812,
  '822': m.bank_822,
  '823': m.bank_823,
  '824': m.bank_824,
  '826': m.bank_826,
};

/** Returns the name of a bank in the language of the app. */
export const bankName = (code: BankCode): string => NAMES[code]();
