/** The version of all packages. Browsers load this module, so it cannot read package.json; a test compares them. */
export const PACKAGE_VERSION = '0.1.0'

/** The packages that every gateway serves below /sdk. pip requires a name with a version. */
export const PACKAGE_NAMES = {
  sdk: 'tollgate-sdk.tgz',
  cli: 'tollgate-cli.tgz',
  python: `tollgate_client-${PACKAGE_VERSION}-py3-none-any.whl`,
} as const

const COMMANDS = { sdk: 'npm install', cli: 'npm install --global', python: 'pip install' } as const

/** The command that installs a package from a gateway. `publicUrl` has no slash at its end. */
export function installLine(publicUrl: string, name: keyof typeof PACKAGE_NAMES): string {
  return `${COMMANDS[name]} ${publicUrl}/sdk/${PACKAGE_NAMES[name]}`
}
