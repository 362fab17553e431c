import { useId, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { ListedRule, RuleAction, Rules } from '#shared/domain/manage/rules.ts'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Question } from '../Question.tsx'
import { removeRule, saveRule } from './commands.ts'
import { Conditions } from './Conditions.tsx'
import { Elsewhere, GoneElsewhere, RuleDifferences } from './Elsewhere.tsx'
import { draftOf, isSameDraft, problemOf, ruleOf, type RuleDraft } from './drafts.ts'
import type { Selected } from './RuleList.tsx'
import styles from './Rules.module.css'

const NAME_LIMIT = 100
const TEXT_LIMIT = 300

type Props = {
  readonly rules: Rules
  readonly draft: RuleDraft
  /** As the server has it; absent: new, or deleted elsewhere. */
  readonly stored: ListedRule | undefined
  /** `undefined`: back to the stored rule. */
  readonly onDraft: (draft: RuleDraft | undefined) => void
  readonly onSaved: (rule: ListedRule) => void
  readonly onSelect: (selected: Selected | undefined) => void
  /** Shows or hides the test, where it is not beside. */
  readonly onTest: (() => void) | undefined
}

/** One rule: when, then what, and what its author reads. */
export function RuleEditor(props: Props) {
  const { rules, draft, stored, onDraft } = props
  const t = useTexts('rules')
  const { support } = rules
  const hasMessage = draft.action === 'block' || draft.action === 'bounce'
  const set = (change: Partial<RuleDraft>): void => onDraft({ ...draft, ...change })
  return (
    <section className={styles['editor']} aria-label={t('rule')}>
      <div className={styles['scroll']}>
        <ChangedElsewhere draft={draft} stored={stored} onDraft={onDraft} />
        {support.full ? (
          <TextField
            label={t('name')}
            value={draft.name}
            maxLength={NAME_LIMIT}
            placeholder={t('namePlaceholder')}
            onChange={(name) => set({ name })}
          />
        ) : null}
        <Conditions rules={rules} conditions={draft.conditions} onChange={(conditions) => set({ conditions })} />
        <Then actions={support.actions} action={draft.action} onChange={(action) => set({ action })} />
        {support.full && hasMessage ? (
          <TextField
            label={t('text')}
            value={draft.text ?? ''}
            maxLength={TEXT_LIMIT}
            hint={t('textHint')}
            onChange={(text) => set({ text })}
          />
        ) : null}
      </div>
      <Foot {...props} />
    </section>
  )
}

/** Somebody else changed or deleted the rule while it was being changed here. */
function ChangedElsewhere({ draft, stored, onDraft }: Pick<Props, 'draft' | 'stored' | 'onDraft'>) {
  const t = useTexts('rules')
  if (draft.id === undefined || (stored !== undefined && stored.version === draft.version)) return null
  if (stored === undefined) {
    return (
      <GoneElsewhere
        text={t('elsewhere.gone')}
        onAsNew={() => onDraft({ ...draft, id: undefined, version: undefined })}
      />
    )
  }
  return (
    <Elsewhere
      text={t('elsewhere.changed')}
      onTheirs={() => onDraft(undefined)}
      onMine={() => onDraft({ ...draft, version: stored.version })}
    >
      <RuleDifferences stored={stored} draft={draft} />
    </Elsewhere>
  )
}

type ThenProps = {
  readonly actions: readonly RuleAction[]
  readonly action: RuleAction
  readonly onChange: (action: RuleAction) => void
}

function Then({ actions, action, onChange }: ThenProps) {
  const t = useTexts('rules')
  const name = useId()
  return (
    <fieldset className={styles['then']}>
      <legend className={styles['heading']}>{t('then')}</legend>
      <div className={styles['options']}>
        {actions.map((each) => (
          <label
            key={each}
            htmlFor={`${name}-${each}`}
            className={styles['option']}
            data-on={each === action || undefined}
          >
            <input
              id={`${name}-${each}`}
              type="radio"
              name={name}
              checked={each === action}
              onChange={() => onChange(each)}
            />
            <b>{t(`actions.${each}.title`)}</b>
            <span>{t(`actions.${each}.text`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Foot({ rules, draft, stored, onDraft, onSaved, onSelect, onTest }: Props) {
  const t = useTexts('rules')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<ErrorBody>()
  const [asking, setAsking] = useState(false)
  const problem = problemOf(draft, rules.support)
  const isChanged = stored === undefined || !isSameDraft(draftOf(stored), draft)
  const isElsewhere = draft.id !== undefined && stored?.version !== draft.version
  const isReady = isChanged && problem === undefined && !offline && !isElsewhere
  const save = async (): Promise<void> => {
    setWorking(true)
    setError(undefined)
    const saved = await dispatch(saveRule({ rule: ruleOf(draft), version: draft.version }))
    setWorking(false)
    if (!saved.ok) {
      setError(saved.error)
      return
    }
    announce(t('saved'))
    onSaved(saved.value)
  }
  return (
    <footer className={styles['foot']}>
      <span className={styles['hint']} role={error === undefined ? undefined : 'alert'}>
        {error !== undefined ? (
          <span className={styles['error']}>{errorText(error)}</span>
        ) : offline ? (
          t('offline')
        ) : isChanged && problem !== undefined ? (
          t(`problems.${problem}`)
        ) : rules.support.full ? (
          <>
            <Icon name="lock" size={14} /> {t('exempt')}
          </>
        ) : null}
      </span>
      {onTest === undefined ? null : <Button onClick={onTest}>{t('test.open')}</Button>}
      {stored === undefined ? null : (
        <Button variant="quiet" aria-disabled={offline || undefined} onClick={() => offline || setAsking(true)}>
          {t('delete')}
        </Button>
      )}
      {isChanged ? <Button onClick={() => onDraft(undefined)}>{t('discard')}</Button> : null}
      <Button
        variant="primary"
        working={working}
        aria-disabled={!isReady || undefined}
        onClick={() => isReady && void save()}
      >
        {t('save')}
      </Button>
      {asking && stored !== undefined ? (
        <DeleteDialog
          rule={stored}
          onClose={() => setAsking(false)}
          onDone={() => {
            onDraft(undefined)
            onSelect(undefined)
          }}
        />
      ) : null}
    </footer>
  )
}

type DeleteProps = { readonly rule: ListedRule; readonly onClose: () => void; readonly onDone: () => void }

function DeleteDialog({ rule: { id, name, version }, onClose, onDone }: DeleteProps) {
  const t = useTexts('rules')
  const dispatch = useAppDispatch()
  return (
    <Question
      title={t('deleteTitle', { name })}
      texts={[t('deleteText')]}
      confirm={t('delete')}
      onConfirm={() => dispatch(removeRule({ id, version }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
