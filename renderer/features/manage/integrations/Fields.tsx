import { useState, useRef } from 'react'
import {
  type Integration,
  INTEGRATION_KINDS,
  isGood,
  type CallOutcome,
  type IntegrationKind,
} from '#shared/domain/manage/integrations.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection, useSession, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { revealSecret } from './commands.ts'
import { channelTitle } from '../../sidebar/index.ts'
import styles from './Integrations.module.css'

type Props = { readonly integration: Integration }

/** Where it posts, listens or answers, and its secret behind dots. */
export function Fields({ integration }: Props) {
  const t = useTexts('integrations')
  const formats = useFormats()
  const channel = useChannelName(integration.cid)
  const { kind, revokedAt, url, hint, events, cid, keyStart, address = '' } = integration
  const isGone = revokedAt !== undefined
  const where = cid === undefined ? t('about.everywhere') : (channel ?? t('about.unknown'))
  return (
    <div className={styles['fields']}>
      {kind !== 'incoming' || isGone ? null : (
        <Secret
          integration={integration}
          label={t('secret.address')}
          note={t('secret.addressNote')}
          masked={`${address}${DOTS}`}
          copied={t('copy.address')}
          hint={t('secret.addressHint')}
        />
      )}
      <dl className={styles['facts']}>
        {kind === 'incoming' ? <Fact name={t('fields.postsTo')} value={where} /> : null}
        {kind === 'outgoing' ? <Fact name={t('fields.listensTo')} value={where} /> : null}
        {kind === 'outgoing' ? (
          <Fact name={t('fields.events')} value={formats.list(events.map((event) => t(`events.${event}`)))} />
        ) : null}
        {kind === 'command' ? <Fact name={t('fields.name')} value={integration.name} /> : null}
        {url === undefined ? null : <Fact name={t('fields.url')} value={url} mono />}
        {kind === 'command' && hint !== undefined ? <Fact name={t('fields.hint')} value={hint} /> : null}
        {keyStart === undefined ? null : <Fact name={t('key.label')} value={`${keyStart}${DOTS}`} mono />}
      </dl>
      {(kind !== 'outgoing' && kind !== 'command') || isGone ? null : (
        <Secret
          integration={integration}
          label={t('secret.signing')}
          note={t('secret.signingNote')}
          masked={DOTS}
          copied={t('copy.signing')}
          hint={t('secret.signingHint')}
        />
      )}
      {kind !== 'key' || isGone ? null : (
        <>
          <p className={styles['hint']}>{t('key.hint')}</p>
          <Example />
        </>
      )}
    </div>
  )
}

const DOTS = '•'.repeat(12)

function Fact({
  name,
  value,
  mono = false,
}: {
  readonly name: string
  readonly value: string
  readonly mono?: boolean
}) {
  return (
    <div className={styles['fact']}>
      <dt>{name}</dt>
      <dd className={mono ? styles['mono'] : undefined}>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}

type SecretProps = Props & {
  readonly label: string
  readonly note: string
  readonly masked: string
  readonly hint: string
  /** Announced. */
  readonly copied: string
}

/** Dots until Show is pressed; the secret itself is asked for only then, or to copy it. */
function Secret({ integration: { id }, label, note, masked, hint, copied }: SecretProps) {
  const t = useTexts('integrations')
  const dispatch = useAppDispatch()
  const copy = useCopy()
  const { offline } = useConnection()
  const [shown, setShown] = useState<string>()
  const reveal = async (): Promise<string | undefined> => {
    if (shown !== undefined) return shown
    if (offline) return undefined
    const asked = await dispatch(revealSecret({ id }))
    return asked.ok ? asked.value : undefined
  }
  const copyIt = async (): Promise<void> => {
    const secret = await reveal()
    if (secret !== undefined) await copy(secret, copied)
  }
  const toggle = async (): Promise<void> => setShown(shown === undefined ? await reveal() : undefined)
  const isOff = offline && shown === undefined
  return (
    <div className={styles['secret']}>
      <TextField
        label={label}
        optional={note}
        hint={hint}
        mono
        readOnly
        value={shown ?? masked}
        onChange={() => undefined}
      />
      <div className={styles['secretButtons']}>
        <Button
          icon={shown === undefined ? 'eye' : 'eye-off'}
          aria-disabled={isOff || undefined}
          onClick={() => void toggle()}
        >
          {t(shown === undefined ? 'secret.show' : 'secret.hide')}
        </Button>
        <Button icon="copy" aria-disabled={isOff || undefined} onClick={() => void copyIt()}>
          {t('copy.do')}
        </Button>
      </div>
    </div>
  )
}

type NewKeyDialogProps = { readonly secret: string; readonly onClose: () => void }

/** Shows a new key, once: it is gone with the dialog. */
export function NewKeyDialog({ secret, onClose }: NewKeyDialogProps) {
  const t = useTexts('integrations')
  const copy = useCopy()
  const first = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      width={480}
      title={t('key.title')}
      initialFocus={first}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('key.done')}
        </Button>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('key.once')}</DialogText>
        <div className={styles['secret']}>
          <TextField label={t('key.label')} mono readOnly value={secret} onChange={() => undefined} />
          <Button ref={first} icon="copy" onClick={() => void copy(secret, t('copy.key'))}>
            {t('copy.do')}
          </Button>
        </div>
        <Example />
      </div>
    </Dialog>
  )
}

/** How a script reads with a key. */
function Example() {
  const t = useTexts('integrations')
  const url = useSession().workspace?.url ?? 'http://127.0.0.1'
  return (
    <pre className={styles['code']} dir="ltr" aria-label={t('key.example')}>
      {`curl -H "Authorization: Bearer $KEY" \\\n  ${url.replace(/\/$/, '')}/read/channels`}
    </pre>
  )
}

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
function useCopy(): (text: string, done: string) => Promise<void> {
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
