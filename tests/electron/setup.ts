import { electronDistribution } from './kit/distribution.ts'
import { install, uninstall } from './kit/installation.ts'

/** Installs the built app for all tests of a run; the returned function removes it. */
export default async function setup(): Promise<() => void> {
  const distribution = await electronDistribution()
  if ('reason' in distribution) throw new Error(distribution.reason)
  const installation = install(distribution.folder)
  process.env['PARLOR_ELECTRON_INSTALLATION'] = JSON.stringify(installation)
  return () => uninstall(installation)
}
