import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { LIST_KINDS, type ListedBlockList, type ListedRule, type ListKind } from '#shared/domain/manage/rules.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { Question } from '../Page.tsx'
import { removeList, saveList } from './drafts.ts'
import { Elsewhere, ListDifferences } from './Elsewhere.tsx'
import type { Selected } from './RuleList.tsx'
import styles from './Rules.module.css'

const MAX_ENTRIES = 10_000
const ENTRY_LIMIT = 255
const NAME = /^[A-Za-z0-9 _.-]{1,255}$/

/** A block list while it is being changed. Name and kind are those of a new one. */
export type ListDraft = {
  readonly typed: string
  /** The stored version that the change is based on. */
  readonly base: string | undefined
  readonly name: string
  readonly kind: ListKind
}

type Props = {
  /** Absent: a new one. */
  readonly list: ListedBlockList | undefined
  readonly rules: readonly ListedRule[]
  readonly draft: ListDraft | undefined
  /** `undefined`: back to the stored list. */
  readonly onDraft: (draft: ListDraft | undefined) => void
  readonly onSaved: (list: ListedBlockList) => void
  readonly onSelect: (selected: Selected | undefined) => void
}

/** The entries of a typed text, one on each line, each once. */
function entriesIn(typed: string): { readonly words: readonly string[]; readonly twice: number } {
  const lines = typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const words = [...new Set(lines)]
  return { words, twice: lines.length - words.length }
}

/** A block list: its words, addresses or domains, one on each line. */
export function ListEditor(props: Props) {
  const { list, rules, onSelect } = props
  const t = useTexts('rules')
  const form = useListForm(props)
  const [asking, setAsking] = useState(false)
  const { words, twice } = entriesIn(form.typed)
  if (list?.foreign !== undefined)
    return <p className={styles['scroll']}>{t('lists.foreign', { kind: list.foreign })}</p>
  const users = rules.filter(({ conditions }) =>
    conditions.some((each) => each.kind === 'list' && each.list === list?.name),
  )
  return (
    <section className={styles['editor']} aria-label={list?.name ?? t('lists.new')}>
      <div className={styles['scroll']}>
        {form.isElsewhere && list !== undefined ? (
          <Elsewhere text={t('elsewhere.list')} onTheirs={form.reset} onMine={form.rebase}>
            <ListDifferences stored={list} words={words} />
          </Elsewhere>
        ) : null}
        {list === undefined ? (
          <>
            <TextField
              label={t('name')}
              value={form.name}
              maxLength={100}
              hint={t('lists.nameHint')}
              onChange={form.setName}
            />
            <div className={styles['kindOfList']}>
              <Segments
                label={t('lists.kind')}
                value={form.kind}
                choices={LIST_KINDS.map((value) => ({ value, label: t(`lists.kinds.${value}`) }))}
                onChange={form.setKind}
              />
            </div>
          </>
        ) : (
          <h2 className={styles['listName']}>
            <bdi>{list.name}</bdi>
          </h2>
        )}
        <TextArea
          label={t(`lists.entries.${form.kind}`)}
          value={form.typed}
          rows={14}
          spellCheck={false}
          hint={`${t(`lists.count.${form.kind}`, { count: words.length })}. ${twice === 0 ? '' : t('lists.twice', { count: twice })} ${form.kind === 'word' ? t('lists.star') : ''}`}
          error={words.length > MAX_ENTRIES ? t('lists.tooMany', { count: MAX_ENTRIES }) : undefined}
          onChange={form.setTyped}
        />
        {list === undefined ? null : (
          <p className={styles['hint']}>
            {users.length === 0
              ? t('lists.unused')
              : t('lists.usedBy', { count: users.length, name: users[0]?.name ?? '' })}
          </p>
        )}
      </div>
      <Foot form={form} isStored={list !== undefined} onDelete={() => setAsking(true)} />
      {asking && list !== undefined ? (
        <DeleteList
          name={list.name}
          version={list.version}
          used={users.length}
          onClose={() => setAsking(false)}
          onDone={() => {
            form.reset()
            onSelect(undefined)
          }}
        />
      ) : null}
    </section>
  )
}

type FootProps = {
  readonly form: ReturnType<typeof useListForm>
  readonly isStored: boolean
  readonly onDelete: () => void
}

function Foot({ form, isStored, onDelete }: FootProps) {
  const t = useTexts('rules')
  const errorText = useErrorText()
  const { offline } = useConnection()
  return (
    <footer className={styles['foot']}>
      <span className={styles['hint']} role={form.error === undefined ? undefined : 'alert'}>
        {form.error === undefined ? (
          offline ? (
            t('offline')
          ) : (
            ''
          )
        ) : (
          <span className={styles['error']}>{errorText(form.error)}</span>
        )}
      </span>
      {isStored ? (
        <Button variant="quiet" aria-disabled={offline || undefined} onClick={() => offline || onDelete()}>
          {t('delete')}
        </Button>
      ) : null}
      {form.isChanged ? <Button onClick={form.reset}>{t('discard')}</Button> : null}
      <Button
        variant="primary"
        working={form.working}
        aria-disabled={!form.isReady || undefined}
        onClick={() => form.isReady && void form.save()}
      >
        {t('lists.save')}
      </Button>
    </footer>
  )
}

function useListForm({ list, draft, onDraft, onSaved }: Props) {
  const t = useTexts('rules')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const stored = list?.words.join('\n') ?? ''
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const { typed, base, name, kind } = draft ?? { typed: stored, base: list?.version, name: '', kind: 'word' }
  const given = { name: list?.name ?? name.trim(), kind: list?.kind ?? kind, words: [...entriesIn(typed).words] }
  const isChanged = typed !== stored
  const isElsewhere = isChanged && list !== undefined && base !== list.version
  const hasName = list !== undefined || NAME.test(given.name)
  const { words } = given
  const fits = words.length > 0 && words.length <= MAX_ENTRIES && words.every((word) => word.length <= ENTRY_LIMIT)
  const set = (change: Partial<ListDraft>): void => onDraft({ typed, base, name, kind, ...change })
  const reset = (): void => {
    setError(undefined)
    onDraft(undefined)
  }
  const save = async (): Promise<void> => {
    setWorking(true)
    setError(undefined)
    const saved = await dispatch(saveList({ list: given, version: list && base }))
    setWorking(false)
    if (!saved.ok) {
      setError(saved.error)
      return
    }
    announce(t('lists.saved'))
    reset()
    onSaved(saved.value)
  }
  return {
    typed,
    setTyped: (next: string) => set({ typed: next }),
    name,
    setName: (next: string) => set({ name: next }),
    kind: given.kind,
    setKind: (next: ListKind) => set({ kind: next }),
    working,
    error,
    isChanged,
    isElsewhere,
    isReady: isChanged && hasName && fits && !offline && !isElsewhere,
    rebase: () => set({ base: list?.version }),
    reset,
    save,
  }
}

type DeleteProps = {
  readonly name: string
  readonly version: string
  /** Rules that use it. */
  readonly used: number
  readonly onClose: () => void
  readonly onDone: () => void
}

function DeleteList({ name, version, used, onClose, onDone }: DeleteProps) {
  const t = useTexts('rules')
  const dispatch = useAppDispatch()
  return (
    <Question
      title={t('lists.deleteTitle', { name })}
      texts={[used === 0 ? t('lists.deleteText') : t('lists.deleteUsed', { count: used })]}
      confirm={t('delete')}
      onConfirm={() => dispatch(removeList({ name, version }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
