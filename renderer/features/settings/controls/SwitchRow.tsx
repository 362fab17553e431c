import { useId } from 'react'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { SettingRow } from './SettingRow.tsx'

type Props = {
  readonly title: string
  readonly hint: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** A setting that is on or off. */
export function SwitchRow({ title, hint, on, onChange }: Props) {
  const id = useId()
  return (
    <SettingRow id={id} title={title} hint={hint}>
      <Switch labelledBy={id} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </SettingRow>
  )
}
