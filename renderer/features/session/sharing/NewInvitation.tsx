import { useId, useRef, useState, type ReactNode, type Ref } from 'react'
import { createSelector } from '@reduxjs/toolkit'
import type { Channel } from '#shared/domain/channel.ts'
import { INVITED_ROLES, type InvitedRole } from '#shared/domain/sharing.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import type { AppState } from '../../../store/store.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { invite } from './commands.ts'
import type { Sharing } from './use-sharing.ts'
import styles from './Sharing.module.css'

const HOUR_MS = 3_600_000
const LIVES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const
type Life = keyof typeof LIVES
const USES = ['1', '5', '10', '50'] as const

type NewProps = { readonly sharing: Sharing; readonly onClose: () => void; readonly onMade: (id: string) => void }

type Typed = {
  readonly name: string
  readonly role: InvitedRole
  /** Cids. */
  readonly channels: readonly string[]
  readonly uses: (typeof USES)[number]
  readonly life: Life
}

const BEGIN: Typed = { name: '', role: 'user', channels: [], uses: '10', life: 'day' }

/** What is typed, what is missing, and creating it. */
function useNewInvitation({ sharing, onMade }: Pick<NewProps, 'sharing' | 'onMade'>) {
  const [typed, setTyped] = useState(BEGIN)
  const [missing, setMissing] = useState<'name' | 'channels'>()
  const channelList = useRef<HTMLFieldSetElement>(null)
  const change = (changes: Partial<Typed>): void => {
    setTyped({ ...typed, ...changes })
    setMissing(undefined)
  }
  const submit = async (): Promise<void> => {
    const { name, role, channels, uses, life } = typed
    if (name.trim() === '') return setMissing('name')
    if (role === 'guest' && channels.length === 0) {
      setMissing('channels')
      return channelList.current?.querySelector('input')?.focus()
    }
    const before = new Set(sharing.state?.invitations.map(({ id }) => id))
    const made = await sharing.run(
      invite({
        name: name.trim(),
        role,
        channels: role === 'guest' ? [...channels] : [],
        uses: Number(uses),
        endsAt: Date.now() + LIVES[life],
      }),
    )
    if (made.ok) onMade(made.value.invitations.find(({ id }) => !before.has(id))?.id ?? '')
  }
  return { typed, missing, channelList, change, submit }
}

/** A name, a role, how many people and until when; for guests also which channels they see. */
export function NewInvitation({ sharing, onClose, onMade }: NewProps) {
  const t = useTexts('session')
  const common = useTexts('common')
  const errorText = useErrorText()
  const { typed, missing, channelList, change, submit } = useNewInvitation({ sharing, onMade })
  return (
    <Dialog
      width={480}
      title={t('share.newTitle')}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={sharing.working}>
            {t('share.create')}
          </Button>
        </>
      }
    >
      <div className={styles['off']}>
        <TextField
          label={t('share.name')}
          value={typed.name}
          maxLength={100}
          ref={focusOnce}
          autoComplete="off"
          hint={t('share.nameHint')}
          error={missing === 'name' ? t('share.nameMissing') : undefined}
          onChange={(name) => change({ name })}
        />
        <span className={styles['strong']} aria-hidden="true">
          {t('share.columns.role')}
        </span>
        <Segments
          label={t('share.columns.role')}
          block
          value={typed.role}
          onChange={(role) => change({ role })}
          choices={INVITED_ROLES.map((value) => ({ value, label: t(`share.roleNames.${value}`) }))}
        />
        <p className={styles['more']}>{t(`share.rolesText.${typed.role}`)}</p>
        {typed.role === 'guest' ? (
          <ChannelChoice
            ref={channelList}
            chosen={typed.channels}
            error={missing === 'channels' ? t('share.channelsMissing') : undefined}
            onChange={(channels) => change({ channels })}
          />
        ) : null}
        <ChoiceRow label={t('share.people')}>
          <Select
            label={t('share.people')}
            value={typed.uses}
            choices={USES.map((value) => ({ value, label: t('share.upTo', { count: Number(value) }) }))}
            onChange={(uses) => change({ uses })}
          />
        </ChoiceRow>
        <ChoiceRow label={t('share.ends')}>
          <Select
            label={t('share.ends')}
            value={typed.life}
            choices={(Object.keys(LIVES) as Life[]).map((value) => ({ value, label: t(`share.lives.${value}`) }))}
            onChange={(life) => change({ life })}
          />
        </ChoiceRow>
        <Refusal text={sharing.error && errorText(sharing.error)} />
      </div>
    </Dialog>
  )
}

function ChoiceRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles['choiceRow']}>
      <span>{label}</span>
      {children}
    </div>
  )
}

type ChannelChoiceProps = {
  readonly ref: Ref<HTMLFieldSetElement>
  /** Cids. */
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
}

/** Which channels guests see. None is chosen for the owner: what outsiders read is decided, not overlooked. */
function ChannelChoice({ ref, chosen, error, onChange }: ChannelChoiceProps) {
  const t = useTexts('session')
  const errorId = useId()
  const { compare } = useFormats()
  const channels = useAppSelector(selectRooms).toSorted((a, b) => compare(a.name, b.name))
  const toggle = (cid: string): void =>
    onChange(chosen.includes(cid) ? chosen.filter((each) => each !== cid) : [...chosen, cid])
  return (
    <fieldset
      ref={ref}
      className={styles['channels']}
      aria-describedby={error === undefined ? undefined : errorId}
      data-invalid={error !== undefined || undefined}
    >
      <legend className={styles['strong']}>{t('share.channels')}</legend>
      <div className={styles['channelList']}>
        {channels.map(({ cid, name, isPrivate }) => (
          <label key={cid} className={styles['check']}>
            <input type="checkbox" checked={chosen.includes(cid)} onChange={() => toggle(cid)} />
            <Icon name={isPrivate ? 'lock' : 'hash'} size={14} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {channels.length === 0 ? <p className={styles['more']}>{t('share.noChannels')}</p> : null}
      {error === undefined ? null : (
        <p id={errorId} className={styles['wrong']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The channels of the workspace that the owner sees. */
const selectRooms = createSelector([(state: AppState) => state.entities.channels], (channels): readonly Channel[] =>
  Object.values(channels).filter(({ type }) => type === 'team'),
)
