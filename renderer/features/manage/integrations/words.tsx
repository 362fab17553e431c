import {
  INTEGRATION_KINDS,
  isGood,
  type CallOutcome,
  type Integration,
  type IntegrationKind,
} from '#shared/domain/manage/integrations.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import styles from './Integrations.module.css'

export const KIND_ICONS: Readonly<Record<IntegrationKind, IconName>> = {
  incoming: 'webhook',
  outgoing: 'external-link',
  command: 'slash',
  key: 'key',
}

/** In the order of their groups. */
export const grouped = (all: readonly Integration[]): readonly Integration[] =>
  INTEGRATION_KINDS.flatMap((kind) => all.filter((each) => each.kind === kind))

/** The square of a program: people have an arch. */
export const Square = ({ of: { kind, revokedAt }, large }: { readonly of: Integration; readonly large?: true }) => (
  <span
    className={styles['square']}
    data-large={large}
    data-off={revokedAt === undefined ? undefined : true}
    aria-hidden="true"
  >
    <Icon name={KIND_ICONS[kind]} size={large === true ? 22 : 17} />
  </span>
)

/** The name as it is listed: a command with its slash. */
export const titleOf = ({ kind, name, command = '' }: Integration): string =>
  kind === 'command' ? `/${command}` : name

/** `#builds`; absent when the viewer does not have the channel. */
export const useChannelName = (cid: string | undefined): string | undefined =>
  useAppSelector((state) =>
    cid === undefined || state.entities.channels[cid] === undefined ? undefined : `#${channelTitle(state, cid)}`,
  )

/** Where it posts, what it listens to, who answers. */
export function useAbout(integration: Integration): string {
  const t = useTexts('integrations')
  const formats = useFormats()
  const channel = useChannelName(integration.cid)
  const { kind, revokedAt, paused, url = '', cid } = integration
  if (revokedAt !== undefined) return t('about.revoked', { date: formats.shortDate(revokedAt) })
  if (paused) return t('about.paused')
  const where = cid === undefined ? t('about.everywhere') : (channel ?? t('about.unknown'))
  if (kind === 'incoming') return t('about.incoming', { channel: where })
  if (kind === 'outgoing') return t('about.outgoing', { channel: where })
  if (kind === 'command') return t('about.command', { host: hostOf(url) })
  return t('about.key')
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const MILD: ReadonlySet<CallOutcome> = new Set(['too-many', 'paused', 'dropped'])

/** The code of an answer, and what it means: “400 Refused”. */
export function Outcome({ outcome, status }: { readonly outcome: CallOutcome; readonly status?: number }) {
  const t = useTexts('integrations')
  const word = t(`outcomes.${outcome}`)
  return (
    <Tag tone={isGood(outcome) ? 'success' : MILD.has(outcome) ? 'warning' : 'danger'}>
      {status === undefined ? word : `${status} ${word}`}
    </Tag>
  )
}

/** Copies a text and says so. */
export function useCopy(): (text: string, done: string) => Promise<void> {
  const t = useTexts('integrations')
  return async (text, done) => {
    try {
      await navigator.clipboard.writeText(text)
      announce(done)
    } catch {
      // The browser does not allow it: the text can be selected.
      announce(t('copy.failed'))
    }
  }
}
