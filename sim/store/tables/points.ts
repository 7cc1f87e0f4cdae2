/** Where points are paid out to, and what became of those who asked for it. */

interface PayoutAccountsTable {
  u_id: string;
  bank_code: string;
  /** Digits. Told to nobody but whoever pays. */
  account_number: string;
  holder: string;
  /** `unknown`, `matches` or `differs`: what the last review said of the holder. */
  name_match: string;
  changed_at: number;
}

interface RedemptionsTable {
  redemption_id: string;
  u_id: string;
  /** Whole points, and so is the fee. */
  amount: number;
  fee: number;
  /** The account as it was when this was asked for. */
  bank_code: string;
  account_number: string;
  holder: string;
  state: string;
  fault: string | null;
  created_at: number;
  reviewing_at: number | null;
  decided_at: number | null;
  ended_at: number | null;
  expected_at: number;
  /** When its next step is due; null for one that has come to its end. */
  due_at: number | null;
}

export interface PointTables {
  ringback_payout_accounts: PayoutAccountsTable;
  ringback_redemptions: RedemptionsTable;
}
