/** The tables of payout accounts and redemptions. */

interface PayoutAccountsTable {
  u_id: string;
  bank_code: string;
  /** Digits. Only the payout desk reads them. */
  account_number: string;
  holder: string;
  /** `unknown`, `matches` or `differs`: the last review of the holder's name. */
  name_match: string;
  changed_at: number;
}

interface RedemptionsTable {
  redemption_id: string;
  u_id: string;
  /** Whole points, as is the fee. */
  amount: number;
  fee: number;
  /** The account at the time of the request. */
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
  /** When the next step is due. Null for a completed redemption. */
  due_at: number | null;
}

export interface PointTables {
  ringback_payout_accounts: PayoutAccountsTable;
  ringback_redemptions: RedemptionsTable;
}
