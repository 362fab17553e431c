import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListedBlockList, ListedRule, Rules } from '#shared/domain/manage/rules.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { useTopic } from '../index.ts'
import { loadRules } from './commands.ts'

type LoadedRules = {
  readonly rules?: Rules
  readonly error?: ErrorBody
  readonly again: () => Promise<void>
  /** Shows a rule as it was saved here until all are loaded again. */
  readonly putRule: (rule: ListedRule) => void
  readonly putList: (list: ListedBlockList) => void
}

/** The rules of the server; loaded again after changes, and every minute: not every server announces those of others. */
export function useRules(): LoadedRules {
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
