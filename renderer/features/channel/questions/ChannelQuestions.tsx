import { useRef, useId, useState, useEffect, useMemo } from 'react'
import { type Cid, asUserId, asCid } from '#shared/lib/brand.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/app-error.ts'
import type { MemberEntry } from '#shared/domain/channel.ts'
import type { Dialogs } from '../../../store/window/kinds.ts'
import { useTexts, useFormats, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal, Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TypedDialog as Typed } from '../../../ui/Dialog/TypedDialog.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import { fold } from '../../../lib/text/fold.ts'
import { dialogClosed, panelClosed, routeOpened } from '../../../store/window/ui.ts'
import type { AppDispatch, AppState } from '../../../store/store.ts'
import { channelTitle, notifyCleared, PeoplePicker, useOthers, selectConversationOrder } from '../../sidebar/index.ts'
import { leaveChannel, hideChannel, clearHistory, deleteChannel, addPeople, loadMembers } from '../commands.ts'
import styles from '../Info.module.css'

/** The dialogs that confirm or perform an action on a channel. */
export function ChannelQuestions({ what, cid }: Dialogs['channel']) {
  switch (what) {
    case 'leave':
      return <LeaveDialog cid={cid} />
    case 'delete':
      return <DeleteDialog cid={cid} />
    case 'clear':
      return <ClearDialog cid={cid} />
    case 'hide':
      return <HideDialog cid={cid} />
    case 'people':
      return <AddPeopleDialog cid={cid} />
  }
}

/** Confirms leaving a channel and says how to come back. Focus is on Cancel. */
function LeaveDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const channel = useChannel(cid)
  const name = useAppSelector((state) => channelTitle(state, cid))
  const cancel = useRef<HTMLButtonElement>(null)
  const { working, error, close, run } = useQuestion()
  const leave = async (): Promise<void> => {
    if (await run(dispatch(leaveChannel({ cid })))) dispatch(leavePlace(cid))
  }
  const isOpen = channel?.isPrivate === false && channel.type !== 'messaging'
  return (
    <Dialog
      alert
      width={400}
      title={t('leave.title', { name })}
      initialFocus={cancel}
      onClose={close}
      actions={
        <>
          <Button ref={cancel} onClick={close}>
            {t('leave.stay')}
          </Button>
          <Button variant="danger" working={working} onClick={() => void leave()}>
            {t('leave.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{isOpen ? t('leave.open') : t('leave.private')}</DialogText>
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}

/** Hides a channel from the list until the next message, optionally clearing its history. */
export function HideDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const id = useId()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const [clear, setClear] = useState(false)
  const { working, error, close, run } = useQuestion()
  const hide = async (): Promise<void> => {
    if (!(await run(dispatch(hideChannel({ cid, clearHistory: clear }))))) return
    if (clear) dispatch(notifyCleared({ cid }))
    dispatch(leavePlace(cid))
  }
  return (
    <Dialog
      width={400}
      title={t('hide.title', { name })}
      onClose={close}
      onSubmit={() => void hide()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant={clear ? 'danger' : 'primary'} working={working}>
            {t('hide.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('hide.text')}</DialogText>
        <div className={styles['setting']}>
          <div className={styles['itemText']}>
            <div id={id} className={styles['settingName']}>
              {t('hide.clear')}
            </div>
            <div id={`${id}-hint`} className={styles['settingHint']}>
              {t('hide.clearHint')}
            </div>
          </div>
          <Switch labelledBy={id} describedBy={`${id}-hint`} on={clear} onChange={setClear} />
        </div>
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}

type Props = {
  readonly cid: Cid
  readonly text: { readonly title: string; readonly text: string; readonly confirm: string }
  readonly action: () => Promise<Result<unknown, ErrorBody>>
  readonly onDone: () => void
}

function TypedDialog({ cid, text, action, onDone }: Props) {
  const name = useAppSelector((state) => channelTitle(state, cid))
  const { run, close, clear, working, error } = useQuestion()
  const confirm = async (): Promise<void> => {
    if (await run(action())) onDone()
  }
  return (
    <Typed
      {...text}
      name={name}
      working={working}
      error={error}
      onTyped={clear}
      onConfirm={() => void confirm()}
      onClose={close}
    />
  )
}

function DeleteDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  return (
    <TypedDialog
      cid={cid}
      text={{ title: t('delete.title', { name }), text: t('delete.text'), confirm: t('delete.confirm') }}
      action={() => dispatch(deleteChannel({ cid }))}
      onDone={() => dispatch(leavePlace(cid))}
    />
  )
}

function ClearDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const { close } = useQuestion()
  return (
    <TypedDialog
      cid={cid}
      text={{ title: t('clear.title', { name }), text: t('clear.text'), confirm: t('clear.confirm') }}
      action={() => dispatch(clearHistory({ cid }))}
      onDone={close}
    />
  )
}

/** Largest number of people per request. Source: `channels.addMembers` in shared/bridge. */
const MAX_PEOPLE = 100

/** Adds or invites people, chosen one by one or pasted as a list whose mistakes are shown before submitting. */
export function AddPeopleDialog({ cid }: { readonly cid: Cid }) {
  const t = useTexts('details')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const name = useAppSelector((state) => channelTitle(state, cid))
  const users = useAppSelector((state) => state.entities.users)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const [how, setHow] = useState<'add' | 'invite'>('add')
  const inside = useMemberIds(cid)
  const { working, error, show, clear, close, run } = useQuestion((own: 'nobody' | 'tooMany') => t(`people.${own}`))
  useOthers()
  const pasted = useMemo(() => pastedPeople(text, Object.values(users), inside), [text, users, inside])
  const ids = [...new Set([...chosen.filter((id) => !inside.has(id)), ...pasted.found])]
  const submit = async (): Promise<void> => {
    if (ids.length === 0) show('nobody')
    else if (ids.length > MAX_PEOPLE) show('tooMany')
    else if (await run(dispatch(addPeople({ cid, how, userIds: ids.map(asUserId) })))) close()
  }
  return (
    <Dialog
      title={t('people.title', { name })}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working} aria-disabled={ids.length === 0}>
            {ids.length > 0
              ? t(how === 'add' ? 'people.confirmAdd' : 'people.confirmInvite', { count: ids.length })
              : t(how === 'add' ? 'members.add' : 'people.invite')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <PeoplePicker
          label={t('people.pick')}
          chosen={chosen}
          onChange={setChosen}
          leaveOut={inside}
          unmatched={t('people.everybody')}
        />
        <TextArea
          label={t('people.paste')}
          optional={t('settings.optional')}
          hint={
            <div aria-live="polite">{text.trim() === '' ? t('people.pasteHint') : <Preview pasted={pasted} />}</div>
          }
          value={text}
          onChange={(value) => {
            setText(value)
            clear()
          }}
        />
        <Segments
          label={t('people.how')}
          value={how}
          choices={[
            { value: 'add', label: t('people.add') },
            { value: 'invite', label: t('people.invite') },
          ]}
          onChange={setHow}
        />
        <Refusal text={error} />
      </div>
    </Dialog>
  )
}

/** Current members: not offered, and reported when pasted. */
function useMemberIds(cid: Cid): ReadonlySet<string> {
  const dispatch = useAppDispatch()
  const [entries, setEntries] = useState<readonly MemberEntry[]>([])
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadMembers({ cid, offset: 0 }))
      if (live && loaded.ok) setEntries(loaded.value.entries)
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, cid])
  return useMemo(() => new Set(entries.map(({ userId }) => userId)), [entries])
}

function Preview({ pasted }: { readonly pasted: ReturnType<typeof pastedPeople> }) {
  const t = useTexts('details')
  const formats = useFormats()
  const { found, unknown, several, already } = pasted
  return (
    <>
      <div>{t('people.found', { count: found.length })}</div>
      {unknown.length === 0 ? null : (
        <div className={styles['error']}>{t('people.unknown', { names: formats.list(unknown) })}</div>
      )}
      {several.length === 0 ? null : (
        <div className={styles['error']}>{t('people.several', { names: formats.list(several) })}</div>
      )}
      {already.length === 0 ? null : <div>{t('people.already', { names: formats.list(already) })}</div>}
    </>
  )
}

type Known = { readonly id: string; readonly name: string }

/** The result of parsing a pasted list of names and ids. */
type Pasted = {
  readonly found: readonly string[]
  /** Matches no one. */
  readonly unknown: readonly string[]
  /** Matches several people. */
  readonly several: readonly string[]
  /** Already members. */
  readonly already: readonly string[]
}

/** Separated by line breaks, commas or semicolons; a leading `@` is ignored. Ids match first, then full names. */
export function pastedPeople(text: string, people: readonly Known[], inside: ReadonlySet<string>): Pasted {
  const wanted = [
    ...new Set(
      text
        .split(/[\n,;]+/)
        .map((part) => part.trim().replace(/^@/, ''))
        .filter((part) => part !== ''),
    ),
  ]
  const named = new Map<string, string[]>()
  for (const { id, name } of people) {
    const key = fold(name.trim())
    named.set(key, [...(named.get(key) ?? []), id])
  }
  const ids = new Set(people.map(({ id }) => id))
  const found = new Set<string>()
  const [unknown, several, already]: [string[], string[], string[]] = [[], [], []]
  for (const part of wanted) {
    const matching = ids.has(part) ? [part] : (named.get(fold(part)) ?? [])
    const [only, ...others] = matching
    if (only === undefined) unknown.push(part)
    else if (others.length > 0) several.push(part)
    else if (inside.has(only)) already.push(part)
    else found.add(only)
  }
  return { found: [...found], unknown, several, already }
}

/** State of a dialog with one action: working while it runs, with the error when it fails. */
function useQuestion<Own = never>(
  textOf?: (own: Own) => string,
): {
  readonly working: boolean
  readonly error: string | undefined
  /** Shows a validation error found before the request. */
  readonly show: (own: Own) => void
  readonly clear: () => void
  readonly close: () => void
  /** Waits for the action; true if it succeeded. */
  readonly run: (action: Promise<Result<unknown, ErrorBody>>) => Promise<boolean>
} {
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const { text: error, show, refuse, clear } = useRemark(textOf)
  return {
    working,
    error,
    show,
    clear,
    close: () => void dispatch(dialogClosed()),
    run: async (action) => {
      setWorking(true)
      clear()
      const done = await action
      setWorking(false)
      if (!done.ok) refuse(done.error)
      return done.ok
    },
  }
}

/** Leaves a channel the viewer no longer has: opens the next conversation, else the list of all channels. */
const leavePlace = (cid: Cid) => (dispatch: AppDispatch, getState: () => AppState) => {
  const { route } = getState().ui
  dispatch(dialogClosed())
  if (route.view !== 'channel' || route.cid !== cid) return
  dispatch(panelClosed())
  // The channel's own row may still be in the list.
  const next = selectConversationOrder(getState()).find((other) => other !== cid)
  dispatch(routeOpened(next === undefined ? { view: 'browse' } : { view: 'channel', cid: asCid(next) }))
}
