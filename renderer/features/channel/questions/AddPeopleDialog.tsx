import { useEffect, useMemo, useState } from 'react'
import { asUserId, type Cid } from '#shared/lib/brand.ts'
import type { MemberEntry } from '#shared/domain/channel-details.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal, Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { TextArea } from '../../../ui/Field/TextField.tsx'
import { fold } from '../../../lib/text/fold.ts'
import { channelTitle, PeoplePicker, useOthers } from '../../sidebar/index.ts'
import { addPeople, loadMembers } from '../commands.ts'
import { useQuestion } from './use-question.ts'
import styles from '../Info.module.css'

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
