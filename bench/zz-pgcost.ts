import { mkdtemp, rm, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Board } from '/work/main/server/board.js';
import { parseConfig } from '/work/main/server/config.js';
import { silentLogger } from '/work/main/server/logger.js';
import { poolOf } from '/work/main/server/db/data-source.js';
import pg from 'pg';
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'reserve-cost-'));
const LIFT = 1e9;
const limits = Object.fromEntries(['previews_per_network_hour','publish_attempts_per_network_minute','writes_per_network_minute','writes_per_network_hour','writes_per_board_minute','topics_per_source_hour','topics_per_source_day'].map(n=>[n,LIFT]));
const config = parseConfig({ PORT:'0', BASE_URL:'http://127.0.0.1:8080', DATA_DIR:dataDir, BOARD_LIMITS: JSON.stringify(limits)});
// instrument pg: cpu of backend per statement text
const stats = new Map<string,{n:number,cpu:number,ms:number}>();
const cpuOf = async (pid:number)=>{ const s=await readFile(`/proc/${pid}/schedstat`,'utf8'); return Number(s.split(' ')[0])/1e6; };
const orig = pg.Client.prototype.query as any;
let on=false;
(pg.Client.prototype as any).query = function(this: any, cfg: any, ...rest: any[]) {
  const text = typeof cfg==='string'?cfg:cfg?.text;
  if (!on || typeof text!=='string') return orig.call(this,cfg,...rest);
  const pid=this.processID;
  const cb = typeof rest.at(-1)==='function' ? rest.pop() : null;
  const p = (async()=>{ const a=await cpuOf(pid); const t=performance.now(); const r= await orig.call(this,cfg,...rest); const ms=performance.now()-t; const b=await cpuOf(pid); const k=text.replace(/\s+/g,' ').slice(0,90); const s=stats.get(k)??{n:0,cpu:0,ms:0}; s.n++; s.cpu+=b-a; s.ms+=ms; stats.set(k,s); return r; })();
  if (cb) { p.then(r=>cb(null,r),e=>cb(e)); return; }
  return p;
};
const board = await Board.create(config,{log:silentLogger});
const port = await board.start();
const { randomUUID } = await import('node:crypto');
async function post(p:string,b:object):Promise<any>{ const r=await fetch(`http://127.0.0.1:${port}${p}`,{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify(b)}); return r.json(); }
let root:number|null=null; let count=0;
async function one(){ const topic = root===null || Math.random()<1/6; const pv=await post('/write/preview',{request_id:randomUUID(), body:`Load ${randomUUID()} `.repeat(20), ...(topic?{title:randomUUID()}:{reply_to:root})}); const [,a,b,w]=/Add (\d+) and (\d+)\. .* word (\w+)\./.exec(pv.challenge)!; const r=await post('/write/publish',{...pv.publish.json_template,answer:`${+a+ +b}-${w}`}); if(r.status!=='published') throw new Error(JSON.stringify(r)); if(topic) root=r.message.id; count++; }
for (let i=0;i<600;i++) await one();
on=true; const N=Number(process.argv[2]??800); count=0;
const c0=process.cpuUsage();
const C=Number(process.argv[3]??1);
await Promise.all(Array.from({length:C},async()=>{ while(count<N) await one(); }));
on=false;
const rows=[...stats].sort((a,b)=>b[1].cpu-a[1].cpu);
let tot=0; for(const [,s] of rows) tot+=s.cpu;
console.log('total backend cpu per publish', (tot/count).toFixed(3), 'ms');
for(const [k,s] of rows.slice(0,22)) console.log((s.cpu/count).toFixed(3),'ms cpu/publish', (s.n/count).toFixed(2),'calls', (s.ms/s.n).toFixed(2),'ms each', k);
await board.stop(); await rm(dataDir,{recursive:true,force:true});
