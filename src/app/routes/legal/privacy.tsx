import { m } from '../../core/i18n/generated/messages.js';
import { LegalPage } from './legal-page.tsx';
import type { LegalSection } from './legal-section.ts';

const sections: readonly LegalSection[] = [
  { id: 'scope', title: m.privacy_scope_title, text: m.privacy_scope_text },
  { id: 'collect', title: m.privacy_collect_title, text: m.privacy_collect_text },
  { id: 'calls', title: m.privacy_calls_title, text: m.privacy_calls_text },
  { id: 'use', title: m.privacy_use_title, text: m.privacy_use_text },
  { id: 'seen', title: m.privacy_seen_title, text: m.privacy_seen_text },
  { id: 'documents', title: m.privacy_documents_title, text: m.privacy_documents_text },
  { id: 'share', title: m.privacy_share_title, text: m.privacy_share_text },
  { id: 'retention', title: m.privacy_retention_title, text: m.privacy_retention_text },
  { id: 'local', title: m.privacy_local_title, text: m.privacy_local_text },
  { id: 'rights', title: m.privacy_rights_title, text: m.privacy_rights_text },
  { id: 'safety', title: m.privacy_safety_title, text: m.privacy_safety_text },
  { id: 'age', title: m.privacy_age_title, text: m.privacy_age_text },
  { id: 'changes', title: m.privacy_changes_title, text: m.privacy_changes_text },
];

export default function Privacy() {
  return (
    <LegalPage
      title={m.legal_privacy_title()}
      lede={m.privacy_lede()}
      updated="2026-11-16"
      sections={sections}
      other={{ to: '/service', name: m.legal_service_title() }}
    />
  );
}
