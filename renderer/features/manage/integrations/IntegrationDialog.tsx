import { useState, type ReactNode } from 'react'
import {
  COMMAND_HINT_LENGTH,
  COMMAND_NAME_LENGTH,
  INTEGRATION_EVENTS,
  INTEGRATION_NAME_LENGTH,
  INTEGRATION_URL_LENGTH,
  isGood,
  type Integration,
  type IntegrationEvent,
  type IntegrationKind,
  type TestResult,
} from '#shared/domain/manage/integrations.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { OWN_COMMANDS } from '#shared/rules/composer/commands.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { toggled } from '../../../ui/Table/Table.tsx'
import { useAppDispatch, useAppStore, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { Answered, Notice } from './Detail.tsx'
import { changeIntegration, createIntegration, probeAddress } from './commands.ts'
import styles from './Integrations.module.css'

type Props = {
  readonly kind: IntegrationKind
  /** What is changed; absent: a new one is made. */
  readonly stored?: Integration
  readonly onClose: () => void
  readonly onMade?: (integration: Integration, secret: string) => void
}

type Typed = {
  readonly name: string
  readonly command: string
  readonly url: string
  readonly hint: string
  /** Empty: every open channel. */
  readonly cid: string
  readonly events: ReadonlySet<IntegrationEvent>
}
type Wrong = 'nameMissing' | 'commandWrong' | 'commandOwn' | 'urlWrong' | 'channelMissing' | 'eventsMissing'

/** Makes a program known, or changes it. What was typed stays when the server refuses it. */
export function IntegrationDialog({ kind, stored, onClose, onMade }: Props) {
  const t = useTexts('integrations')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const channels = useChannels(kind, stored?.cid)
  const [typed, setTyped] = useState(() => typedOf(stored, kind === 'incoming' ? (channels[0]?.value ?? '') : ''))
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: Wrong) => t(`form.${own}`, { name: typed.command }))
  const change = (to: Partial<Typed>): void => {
    formMessage.clear()
    setTyped({ ...typed, ...to })
  }
  const submit = async (): Promise<void> => {
    if (offline || working) return
    const wrong = wrongIn(kind, typed)
    if (wrong !== undefined) return formMessage.show(wrong)
    const fields = fieldsOf(kind, typed)
    setWorking(true)
    if (stored === undefined) {
      const made = await dispatch(
        createIntegration({ kind, ...fields, ...(kind === 'command' ? { command: typed.command } : {}) }),
      )
      setWorking(false)
      if (!made.ok) return formMessage.refuse(made.error)
      announce(t('form.made', { name: fields.name }))
      onClose()
      return onMade?.(made.value.integration, made.value.secret)
    }
    const done = await dispatch(changeIntegration({ id: stored.id, ...fields }))
    setWorking(false)
    if (!done.ok) return formMessage.refuse(done.error)
    announce(t('form.saved'))
    onClose()
  }
  return (
    <Dialog
      width={480}
      title={t(stored === undefined ? `form.new.${kind}` : 'form.change', { name: stored?.name ?? '' })}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={offline ? t('offline') : undefined}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={offline || undefined}>
            {t(stored === undefined ? `form.create.${kind}` : 'form.save')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <FormFields kind={kind} isNew={stored === undefined} typed={typed} channels={channels} onChange={change} />
        {kind === 'outgoing' || kind === 'command' ? <Probe kind={kind} url={typed.url.trim()} /> : null}
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

const typedOf = (stored: Integration | undefined, cid: string): Typed => ({
  name: stored?.name ?? '',
  command: stored?.command ?? '',
  url: stored?.url ?? '',
  hint: stored?.hint ?? '',
  cid: stored?.cid ?? (stored === undefined ? cid : ''),
  events: new Set(stored?.events ?? ['message.new']),
})

const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:\/\//i.test(url)

function wrongIn(kind: IntegrationKind, { name, command, url, cid, events }: Typed): Wrong | undefined {
  if (kind === 'command') {
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(command)) return 'commandWrong'
    if (OWN_COMMANDS.some((own) => own === command)) return 'commandOwn'
  }
  if (isBlank(name)) return 'nameMissing'
  if ((kind === 'outgoing' || kind === 'command') && !isAddress(url.trim())) return 'urlWrong'
  if (kind === 'incoming' && cid === '') return 'channelMissing'
  if (kind === 'outgoing' && events.size === 0) return 'eventsMissing'
  return undefined
}

/** What its kind has. */
function fieldsOf(kind: IntegrationKind, { name, url, hint, cid, events }: Typed) {
  return {
    name: name.trim(),
    ...(kind === 'incoming' ? { cid: asCid(cid) } : {}),
    ...(kind === 'outgoing'
      ? { cid: cid === '' ? null : asCid(cid), events: INTEGRATION_EVENTS.filter((event) => events.has(event)) }
      : {}),
    ...(kind === 'outgoing' || kind === 'command' ? { url: url.trim() } : {}),
    ...(kind === 'command' ? { hint: hint.trim() } : {}),
  }
}

type Channel = { readonly value: string; readonly label: string }

/** Channels that the viewer is in; for a webhook that posts those in which they may write. */
function useChannels(kind: IntegrationKind, cid: Cid | undefined): readonly Channel[] {
  const store = useAppStore()
  const formats = useFormats()
  const [choices] = useState(() => {
    const state = store.getState()
    return Object.values(state.entities.channels)
      .filter((each) => each.directUserIds.length === 0)
      .filter((each) => kind !== 'incoming' || each.cid === cid || each.capabilities.includes('send-message'))
      .map((each) => ({ value: each.cid as string, label: `#${channelTitle(state, each.cid)}` }))
      .toSorted((a, b) => formats.compare(a.label, b.label))
  })
  return choices
}

type FormFieldsProps = {
  readonly kind: IntegrationKind
  readonly isNew: boolean
  readonly typed: Typed
  readonly channels: readonly Channel[]
  readonly onChange: (to: Partial<Typed>) => void
}

function FormFields({ kind, isNew, typed, channels, onChange }: FormFieldsProps) {
  const t = useTexts('integrations')
  const calls = kind === 'outgoing' || kind === 'command'
  return (
    <>
      {kind === 'command' && isNew ? (
        <TextField
          label={t('fields.command')}
          hint={t('form.commandHint')}
          mono
          value={typed.command === '' ? '' : `/${typed.command}`}
          placeholder="/deploy"
          maxLength={COMMAND_NAME_LENGTH + 1}
          autoComplete="off"
          spellCheck={false}
          onChange={(text) => onChange({ command: text.trim().replace(/^\/+/, '').toLowerCase() })}
        />
      ) : null}
      <TextField
        label={t('fields.name')}
        hint={t(`form.nameHint.${kind}`)}
        value={typed.name}
        maxLength={INTEGRATION_NAME_LENGTH}
        autoComplete="off"
        onChange={(name) => onChange({ name })}
      />
      {calls ? (
        <TextField
          label={t('fields.url')}
          mono
          value={typed.url}
          placeholder="https://"
          maxLength={INTEGRATION_URL_LENGTH}
          autoComplete="off"
          spellCheck={false}
          inputMode="url"
          onChange={(url) => onChange({ url })}
        />
      ) : null}
      {kind === 'incoming' || kind === 'outgoing' ? (
        <Labeled label={t(kind === 'incoming' ? 'fields.postsTo' : 'fields.listensTo')}>
          <Select
            label={t(kind === 'incoming' ? 'fields.postsTo' : 'fields.listensTo')}
            value={typed.cid}
            choices={kind === 'outgoing' ? [{ value: '', label: t('about.everywhere') }, ...channels] : channels}
            onChange={(cid) => onChange({ cid })}
          />
        </Labeled>
      ) : null}
      {kind === 'outgoing' ? (
        <fieldset className={styles['events']}>
          <legend>{t('fields.events')}</legend>
          {INTEGRATION_EVENTS.map((event) => (
            <label key={event}>
              <input
                type="checkbox"
                checked={typed.events.has(event)}
                onChange={() => onChange({ events: toggled(typed.events, event) })}
              />
              {t(`events.${event}`)}
            </label>
          ))}
        </fieldset>
      ) : null}
      {kind === 'command' ? (
        <TextField
          label={t('fields.hint')}
          optional={t('form.hintNote')}
          value={typed.hint}
          maxLength={COMMAND_HINT_LENGTH}
          autoComplete="off"
          onChange={(hint) => onChange({ hint })}
        />
      ) : null}
    </>
  )
}

const Labeled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className={styles['labeled']}>
    <span aria-hidden="true">{label}</span>
    {children}
  </div>
)

/** Calls the address before anything is made. */
function Probe({ kind, url }: { readonly kind: 'outgoing' | 'command'; readonly url: string }) {
  const t = useTexts('integrations')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [tried, setTried] = useState<{ readonly url: string; readonly result: TestResult }>()
  const [working, setWorking] = useState(false)
  const refusal = useRemark()
  const shown = tried?.url === url ? tried.result : undefined
  const probe = async (): Promise<void> => {
    if (offline || working || !isAddress(url)) return
    refusal.clear()
    setWorking(true)
    const done = await dispatch(probeAddress({ kind, url }))
    setWorking(false)
    if (done.ok) setTried({ url, result: done.value })
    else refusal.refuse(done.error)
  }
  const button = (
    <Button
      size="small"
      working={working}
      aria-disabled={offline || !isAddress(url) || undefined}
      onClick={() => void probe()}
    >
      {t(shown === undefined ? 'probe.do' : 'probe.again')}
    </Button>
  )
  return (
    <div role="status" className={styles['probe']}>
      {shown === undefined ? (
        button
      ) : isGood(shown.outcome) ? (
        <Notice tone="success" title={t('test.answered')} text={<Answered result={shown} />}>
          {button}
        </Notice>
      ) : (
        <Notice tone="danger" title={t('probe.failed')} text={t(`reasons.${shown.outcome}`)}>
          {button}
        </Notice>
      )}
      <Refusal text={refusal.text} />
    </div>
  )
}
