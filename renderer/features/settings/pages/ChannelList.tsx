import { asCid, type Cid } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { SettingRow } from '../controls/SettingRow.tsx'

type Props = {
  readonly title: string
  readonly hint?: string
  readonly cids: readonly string[]
  /** Label of the remove button for a channel's name. */
  readonly forget: (name: string) => string
  readonly onForget: (cid: Cid) => void
}

/** Channels with an exception, each with a button to remove it. Renders nothing if there are none. */
export function ChannelList({ title, hint, cids, forget, onForget }: Props) {
  if (cids.length === 0) return null
  return (
    <SettingRow title={title} hint={hint}>
      <div>
        {cids.map((cid) => (
          <Chosen key={cid} cid={asCid(cid)} forget={forget} onForget={onForget} />
        ))}
      </div>
    </SettingRow>
  )
}

type ChosenProps = Pick<Props, 'forget' | 'onForget'> & { readonly cid: Cid }

function Chosen({ cid, forget, onForget }: ChosenProps) {
  const known = useAppSelector((state) => (state.entities.channels[cid] === undefined ? cid : channelTitle(state, cid)))
  return (
    <Button size="small" icon="x" aria-label={forget(known)} onClick={() => onForget(cid)}>
      {known}
    </Button>
  )
}
