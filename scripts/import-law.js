// Runs the import law and fails when the tool saw too little to mean anything.
import { cruise, format } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import law from '../.dependency-cruiser.cjs';

const FOLDERS = ['protocol', 'server', 'mesh', 'admin-ui'];
const FEWEST = 150;

const { output } = await cruise(
  FOLDERS,
  { ...law.options, ruleSet: { forbidden: law.forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const own = output.modules.filter(({ source }) =>
  FOLDERS.some((folder) => source.startsWith(`${folder}/`)),
);
const report = await format(output, { outputType: 'err' });
console.log(report.output);
if (own.length < FEWEST) {
  console.error(`only ${own.length} modules seen: the check checks nothing`);
  process.exit(1);
}
process.exit(report.exitCode > 0 ? 1 : 0);
