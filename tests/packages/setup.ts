import { makePackages, removePackages } from './kit/packages.ts'

/** Builds the packages for all tests of a run; the returned function removes them. */
export default async function setup(): Promise<() => void> {
  const packages = await makePackages()
  process.env['PARLOR_PACKAGES'] = JSON.stringify(packages)
  return () => removePackages(packages)
}
