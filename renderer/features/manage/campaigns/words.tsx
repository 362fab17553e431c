import type { CampaignState, NotSent } from '#shared/domain/manage/campaigns.ts'
import { fieldKey, type FieldOwner, type TemplateField } from '#shared/rules/campaigns/campaigns.ts'
import { useTexts } from '../../../i18n/index.ts'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import styles from './Campaigns.module.css'

const TONES = {
  draft: 'plain',
  scheduled: 'accent',
  in_progress: 'info',
  completed: 'success',
  stopped: 'warning',
} as const satisfies Record<CampaignState, string>

export function StateTag({ state }: { readonly state: CampaignState }) {
  const t = useTexts('campaigns')
  return <Tag tone={TONES[state]}>{t(`states.${state}`)}</Tag>
}

/** Fields that every person, sender and channel has; others have the names that the workspace gave them. */
export const KNOWN_FIELDS = [
  { owner: 'receiver', name: 'first_name' },
  { owner: 'receiver', name: 'name' },
  { owner: 'receiver', name: 'language' },
  { owner: 'sender', name: 'name' },
  { owner: 'channel', name: 'name' },
] as const

const TEXT_OF: Readonly<Record<string, 'firstName' | 'fullName' | 'language' | 'senderName' | 'channelName'>> = {
  'receiver.first_name': 'firstName',
  'receiver.name': 'fullName',
  'receiver.language': 'language',
  'sender.name': 'senderName',
  'channel.name': 'channelName',
}

/** The name of a field of the text, from its key. */
export function useFieldName(): (field: string | Pick<TemplateField, 'owner' | 'name'>) => string {
  const t = useTexts('campaigns')
  return (field) => {
    const key = typeof field === 'string' ? field : fieldKey(field)
    const known = TEXT_OF[key]
    if (known !== undefined) return t(`fields.${known}`)
    const at = key.indexOf('.')
    return t(`fields.own.${key.slice(0, at) as FieldOwner}`, { name: key.slice(at + 1) })
  }
}

/** The name of a field after the beginning of a sentence: each begins with a common noun. */
export const withinSentence = (name: string): string => name.charAt(0).toLocaleLowerCase() + name.slice(1)

/** Why somebody has no message, in words. The server's own reason follows where there is no better one. */
export function useReason(campaign: CampaignState): (row: Pick<NotSent, 'state' | 'reason'>) => string {
  const t = useTexts('campaigns')
  return ({ state, reason }) => {
    if (state === 'pending') return t(campaign === 'stopped' ? 'reasons.stopped' : 'reasons.pending')
    if (state === 'skipped') return t('reasons.skipped')
    if (reason.includes('longer than')) return t('reasons.tooLong')
    if (reason.includes('a rule of the workspace')) return t('reasons.rule')
    return reason === '' ? t('reasons.unknown') : t('reasons.server', { reason })
  }
}

type Props = { /** 0 to 1. */ readonly value: number; readonly label: string; readonly large?: boolean }

/** How much of something is done. */
export function Meter({ value, label, large = false }: Props) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value * 100)}
      className={large ? styles['meterLarge'] : styles['meter']}
    >
      <span style={{ inlineSize: `${value * 100}%` }} />
    </span>
  )
}
