import { m } from '../../core/i18n/generated/messages.js';
import { LegalPage } from './legal-page.tsx';
import type { LegalSection } from './legal-section.ts';

const sections: readonly LegalSection[] = [
  { id: 'agree', title: m.service_agree_title, text: m.service_agree_text },
  { id: 'adults', title: m.service_adults_title, text: m.service_adults_text },
  { id: 'account', title: m.service_account_title, text: m.service_account_text },
  { id: 'calls', title: m.service_calls_title, text: m.service_calls_text },
  { id: 'coins', title: m.service_coins_title, text: m.service_coins_text },
  { id: 'points', title: m.service_points_title, text: m.service_points_text },
  { id: 'conduct', title: m.service_conduct_title, text: m.service_conduct_text },
  { id: 'reports', title: m.service_reports_title, text: m.service_reports_text },
  { id: 'content', title: m.service_content_title, text: m.service_content_text },
  { id: 'ending', title: m.service_ending_title, text: m.service_ending_text },
  { id: 'liability', title: m.service_liability_title, text: m.service_liability_text },
  { id: 'law', title: m.service_law_title, text: m.service_law_text },
];

export default function Service() {
  return (
    <LegalPage
      title={m.legal_service_title()}
      lede={m.service_lede()}
      updated="2026-11-16"
      sections={sections}
      other={{ to: '/privacy', name: m.legal_privacy_title() }}
    />
  );
}
