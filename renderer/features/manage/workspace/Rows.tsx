import { useId, useState, type ReactNode } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import styles from './Workspace.module.css'

/** Settings under one heading. */
export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={styles['group']}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

type RowProps = {
  readonly id?: string
  readonly title: string
  readonly hint: string
  readonly children?: ReactNode
}

/** A setting: what it is, what it does, and its control. */
export function Row({ id, title, hint, children }: RowProps) {
  return (
    <div className={styles['row']}>
      <div className={styles['text']}>
        <div id={id} className={styles['name']}>
          {title}
        </div>
        <div id={id === undefined ? undefined : `${id}-hint`} className={styles['hint']}>
          {hint}
        </div>
      </div>
      {children}
    </div>
  )
}

type SwitchProps = RowProps & { readonly on: boolean; readonly onChange: (on: boolean) => Promise<unknown> }

/** A switch that shows what was chosen until the server has answered. */
export function SwitchRow({ title, hint, on, onChange }: SwitchProps) {
  const id = useId()
  const { offline } = useConnection()
  const [pending, setPending] = useState<boolean>()
  const change = async (next: boolean): Promise<void> => {
    setPending(next)
    await onChange(next)
    setPending(undefined)
  }
  return (
    <Row id={id} title={title} hint={hint}>
      <Switch
        labelledBy={id}
        describedBy={`${id}-hint`}
        on={pending ?? on}
        disabled={offline || pending !== undefined}
        onChange={(next) => void change(next)}
      />
    </Row>
  )
}

type FieldProps = {
  readonly label: string
  readonly hint: string
  /** As it is saved. */
  readonly saved: string
  /** Why the text cannot be saved. */
  readonly faultOf: (text: string) => string | undefined
  readonly onSave: (text: string) => Promise<{ readonly ok: boolean }>
  readonly mono?: boolean
  readonly numeric?: boolean
}

/** A text that is saved with a button; what was typed stays when it could not be. */
export function FieldRow({ label, hint, saved, faultOf, onSave, mono, numeric = false }: FieldProps) {
  const t = useTexts('workspace')
  const { offline } = useConnection()
  const [typed, setTyped] = useState<{ readonly text: string; readonly savedOver?: string }>()
  // What the server made of a saved text replaces it; a change made elsewhere does not replace what is being typed.
  if (typed?.savedOver !== undefined && typed.savedOver !== saved) setTyped(undefined)
  const text = typed?.text ?? saved
  const [error, setError] = useState<string>()
  const [working, setWorking] = useState(false)
  const save = async (): Promise<void> => {
    const fault = faultOf(text.trim())
    if (fault !== undefined) return setError(fault)
    setWorking(true)
    const done = await onSave(text.trim())
    setWorking(false)
    if (!done.ok) return
    setTyped((now) => (now?.text === text ? { text, savedOver: saved } : now))
    announce(t('saved'))
  }
  return (
    <form
      className={styles['field']}
      onSubmit={(event) => {
        event.preventDefault()
        if (!working && !offline && text !== saved) void save()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        value={text}
        error={error}
        mono={mono}
        inputMode={numeric ? 'numeric' : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(value) => {
          setTyped({ text: value })
          setError(undefined)
        }}
      />
      <Button
        type="submit"
        working={working}
        aria-disabled={text === saved || offline || undefined}
        title={offline ? t('offline') : undefined}
      >
        {t('save')}
      </Button>
    </form>
  )
}

/** Whether a text is a whole number in these bounds. */
export function isWithin(text: string, least: number, most: number): boolean {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most
}
