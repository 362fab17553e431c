import { useState, useCallback, useEffect, useRef } from 'react'
import type { ListedBlockList, ListedRule, Rules } from '#shared/domain/manage/rules.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useConnection, useAppDispatch } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Listed, NewButton, Page, useReturnToRow } from '../Page.tsx'
import { useTopic } from '../state.ts'
import { draftOf, isSameDraft, keyOf, newDraft, type RuleDraft, loadRules } from './drafts.ts'
import { DryRun, NOTHING_TRIED, TryOut, type Tried } from './RuleTest.tsx'
import { ListEditor, type ListDraft } from './ListEditor.tsx'
import { RuleEditor } from './RuleEditor.tsx'
import { RuleList, type Selected } from './RuleList.tsx'
import styles from './Rules.module.css'

type Props = { readonly onBack?: () => void }

/** Drafts by the id of their rule: what is being changed stays while another rule is looked at. */
type Drafts = Readonly<Record<string, RuleDraft>>
/** The same for block lists, by name. */
type ListDrafts = Readonly<Record<string, ListDraft>>

/** Rules and block lists: what they do, what they would have done, and how to change them. */
export function RulesPage({ onBack }: Props) {
  const t = useTexts('rules')
  const { offline } = useConnection()
  const loaded = useRules()
  const { rules, error } = loaded
  const [selected, setSelected] = useState<Selected>()
  const [drafts, setDrafts] = useState<Drafts>({})
  const [listDrafts, setListDrafts] = useState<ListDrafts>({})
  const [testing, setTesting] = useState(false)
  const [tried, setTried] = useState<Tried>(NOTHING_TRIED)
  const [seen, setSeen] = useState(rules)
  if (rules !== undefined && rules !== seen) {
    setSeen(rules)
    setDrafts((all) => unsaved(rules, all))
  }
  const shown = selected ?? firstOf(rules)
  const { level, up } = useLevel({ selected, testing, onSelect: setSelected, onTest: setTesting })
  const create = (): void => {
    if (rules === undefined) return
    const draft = drafts[''] ?? newDraft(rules.support, rules.lists[0]?.name)
    setDrafts({ ...drafts, '': draft })
    setSelected({ kind: 'rule', key: '' })
  }
  return (
    <Page
      icon="filter"
      title={t('title')}
      fact={rules?.support.full === true ? t('fact') : undefined}
      onBack={onBack}
      onUp={up}
      actions={
        rules === undefined ? undefined : (
          <NewButton size="small" blocked={offline ? t('offline') : undefined} onClick={create}>
            {t('newRule')}
          </NewButton>
        )
      }
    >
      <Listed
        list={{
          rows: rules === undefined ? [] : [rules],
          loading: rules === undefined && error === undefined,
          error,
          again: () => void loaded.again(),
        }}
        empty={{ scene: 'lines', title: t('title') }}
      >
        {rules === undefined ? null : (
          <Levels
            rules={rules}
            shown={shown}
            level={level}
            drafts={drafts}
            listDrafts={listDrafts}
            testing={testing}
            tried={tried}
            stale={error === undefined ? undefined : error.code}
            onSelect={(next) => {
              setSelected(next)
              setTesting(false)
            }}
            onTest={setTesting}
            onTried={setTried}
            onDraft={(key, draft) => {
              setDrafts((all) => withDraft(all, key, draft))
              // It stays open if another rule becomes the first one.
              setSelected(shown)
            }}
            onListDraft={(key, draft) => setListDrafts((all) => withDraft(all, key, draft))}
            onRule={(rule, before) => {
              loaded.putRule(rule)
              setDrafts((all) => rebased(all, rule, before))
            }}
            onList={loaded.putList}
          />
        )}
      </Listed>
    </Page>
  )
}

/** Without those that the server has now. */
function unsaved(rules: Rules, all: Drafts): Drafts {
  const left = Object.entries(all).filter(([key, draft]) => {
    const stored = rules.rules.find(({ id }) => id === key)
    return stored === undefined || stored.version !== draft.version || !isSameDraft(draftOf(stored), draft)
  })
  return left.length === Object.keys(all).length ? all : Object.fromEntries(left)
}

/** With the change that was based on the rule before based on what was saved here: it was switched or moved. */
function rebased(all: Drafts, { id, enabled, version }: ListedRule, before: ListedRule | undefined): Drafts {
  const draft = all[id]
  if (draft === undefined || draft.version !== before?.version) return all
  return { ...all, [id]: { ...draft, enabled, version } }
}

function withDraft<Draft>(
  all: Readonly<Record<string, Draft>>,
  key: string,
  draft: Draft | undefined,
): Readonly<Record<string, Draft>> {
  if (draft !== undefined) return { ...all, [key]: draft }
  const { [key]: _gone, ...rest } = all
  return rest
}

const firstOf = (rules: Rules | undefined): Selected | undefined => {
  const [rule] = rules?.rules ?? []
  return rule && { kind: 'rule', key: rule.id }
}

/** What is shown of list, editor and test; in a single column one of them. */
type Level = 'all' | 'list' | 'editor' | 'test'

type LevelOptions = {
  readonly selected: Selected | undefined
  readonly testing: boolean
  readonly onSelect: (selected: undefined) => void
  readonly onTest: (testing: boolean) => void
}

/** `up`: in a single column, one level up. */
function useLevel({ selected, testing, onSelect, onTest }: LevelOptions): { readonly level: Level; up?: () => void } {
  const single = ['small', 'narrow'].includes(useBreakpoint())
  const toList = useReturnToRow(selected?.key, onSelect)
  if (!single) return { level: 'all' }
  if (selected === undefined) return { level: 'list' }
  return testing ? { level: 'test', up: () => onTest(false) } : { level: 'editor', up: toList }
}

type LevelsProps = {
  readonly rules: Rules
  readonly shown: Selected | undefined
  readonly level: Level
  readonly drafts: Drafts
  readonly listDrafts: ListDrafts
  readonly testing: boolean
  readonly tried: Tried
  readonly onTried: (tried: Tried) => void
  /** Why what is shown could not be loaded again. */
  readonly stale: string | undefined
  readonly onSelect: (selected: Selected | undefined) => void
  readonly onTest: (testing: boolean) => void
  readonly onDraft: (key: string, draft: RuleDraft | undefined) => void
  readonly onListDraft: (key: string, draft: ListDraft | undefined) => void
  /** A rule was saved here; `before`: as it was. */
  readonly onRule: (rule: ListedRule, before: ListedRule | undefined) => void
  readonly onList: (list: ListedBlockList) => void
}

/** List, editor and test beside each other, or as levels where they do not fit. */
function Levels(props: LevelsProps) {
  const { rules, shown, level, drafts, testing, stale, onSelect, onTest } = props
  const t = useTexts('rules')
  const common = useTexts('common')
  const errorText = useErrorText()
  const single = level !== 'all'
  const wide = useBreakpoint() === 'wide'
  const rule = shown?.kind === 'rule' ? ruleFor(rules, drafts, shown.key) : undefined
  const hasTest = rule !== undefined
  return (
    <div className={cx(styles['levels'], wide && hasTest && styles['three'], single && styles['single'])}>
      {level === 'all' || level === 'list' ? (
        <div className={styles['side']}>
          {stale === undefined ? null : (
            <p className={styles['stale']}>{t('stale', { why: errorText({ code: stale }) })}</p>
          )}
          {single && rules.rules.length === 0 ? <p className={styles['hint']}>{t('noneText')}</p> : null}
          <RuleList
            rules={rules}
            selected={shown}
            changed={changedKeys(rules, drafts)}
            changedLists={changedLists(rules, props.listDrafts)}
            onSelect={onSelect}
            onSaved={props.onRule}
          />
        </div>
      ) : null}
      {level === 'all' || level === 'editor' ? (
        <div className={styles['center']}>
          <Editor {...props} rule={rule} onTest={wide ? undefined : () => onTest(!testing)} />
        </div>
      ) : null}
      {rule !== undefined && (wide || testing) && level !== 'list' && level !== 'editor' ? (
        <section className={cx(styles['test'], !wide && !single && styles['over'])} aria-label={t('test.title')}>
          {single || wide ? null : <IconButton icon="x" label={common('close')} onClick={() => onTest(false)} />}
          <TryOut rules={rules} draft={rule.draft} value={props.tried} onChange={props.onTried} />
          <DryRun key={keyOf(rule.draft)} draft={rule.draft} rules={rules} />
        </section>
      ) : null}
    </div>
  )
}

type EditorProps = Pick<LevelsProps, 'rules' | 'shown' | 'listDrafts'> &
  Pick<LevelsProps, 'onSelect' | 'onDraft' | 'onListDraft' | 'onRule' | 'onList'> & {
    readonly rule: OpenRule | undefined
    readonly onTest: (() => void) | undefined
  }

/** The rule or block list that is open. */
function Editor({ rules, shown, rule, listDrafts, onSelect, onDraft, onTest, ...on }: EditorProps) {
  const t = useTexts('rules')
  if (rule !== undefined) {
    const key = keyOf(rule.draft)
    return (
      <RuleEditor
        key={key}
        rules={rules}
        draft={rule.draft}
        stored={rule.stored}
        onDraft={(draft) => onDraft(key, draft)}
        onSaved={(saved) => {
          onDraft(key, undefined)
          on.onRule(saved, rule.stored)
          onSelect({ kind: 'rule', key: saved.id })
        }}
        onSelect={onSelect}
        onTest={onTest}
      />
    )
  }
  if (shown?.kind === 'list') {
    return (
      <ListEditor
        key={shown.key}
        list={rules.lists.find(({ name }) => name === shown.key)}
        rules={rules.rules}
        draft={listDrafts[shown.key]}
        onDraft={(draft) => on.onListDraft(shown.key, draft)}
        onSaved={(saved) => {
          on.onList(saved)
          onSelect({ kind: 'list', key: saved.name })
        }}
        onSelect={onSelect}
      />
    )
  }
  return (
    <Empty scene="lines" title={t('none')}>
      {t('noneText')}
    </Empty>
  )
}

type OpenRule = { readonly draft: RuleDraft; readonly stored?: ListedRule }

function ruleFor(rules: Rules, drafts: Drafts, key: string): OpenRule | undefined {
  const stored = rules.rules.find(({ id }) => id === key)
  const changed = drafts[key]
  const isSame = stored !== undefined && changed !== undefined && isSameDraft(draftOf(stored), changed)
  const draft = changed === undefined || isSame ? stored && draftOf(stored) : changed
  return draft && { draft, stored }
}

const changedKeys = (rules: Rules, drafts: Drafts): ReadonlySet<string> =>
  new Set(
    Object.entries(drafts).flatMap(([key, draft]) => {
      const stored = rules.rules.find(({ id }) => id === key)
      return stored === undefined || !isSameDraft(draftOf(stored), draft) ? [key] : []
    }),
  )

const changedLists = ({ lists }: Rules, drafts: ListDrafts): ReadonlySet<string> =>
  new Set(
    lists.flatMap(({ name, words }) => ((drafts[name]?.typed ?? words.join('\n')) === words.join('\n') ? [] : [name])),
  )

type LoadedRules = {
  readonly rules?: Rules
  readonly error?: ErrorBody
  readonly again: () => Promise<void>
  /** Shows a rule as it was saved here until all are loaded again. */
  readonly putRule: (rule: ListedRule) => void
  readonly putList: (list: ListedBlockList) => void
}

/** The rules of the server; loaded again after changes, and every minute: not every server announces those of others. */
function useRules(): LoadedRules {
  const dispatch = useAppDispatch()
  const version = useTopic('rules')
  const minute = useMinute()
  const [state, setState] = useState<Pick<LoadedRules, 'rules' | 'error'>>({})
  const runs = useRef(0)
  const again = useCallback(async () => {
    const run = (runs.current += 1)
    const loaded = await dispatch(loadRules())
    if (run !== runs.current) return
    setState((before) => (loaded.ok ? { rules: loaded.value } : { rules: before.rules, error: loaded.error }))
  }, [dispatch])
  useEffect(() => {
    // Loaded again when these rise.
    if (version >= 0 && minute >= 0) void again()
  }, [again, version, minute])
  const change = (next: (rules: Rules) => Partial<Rules>): void =>
    setState((before) =>
      before.rules === undefined ? before : { ...before, rules: { ...before.rules, ...next(before.rules) } },
    )
  return {
    ...state,
    again,
    putRule: (rule) =>
      change(({ rules }) => ({
        rules: [...rules.filter(({ id }) => id !== rule.id), rule].toSorted((a, b) => a.position - b.position),
      })),
    putList: (list) => change(({ lists }) => ({ lists: [...lists.filter(({ name }) => name !== list.name), list] })),
  }
}
