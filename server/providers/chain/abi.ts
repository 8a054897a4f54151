import { parseAbi } from "viem";

/** ERC-20. */
export const erc20Abi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
]);

/** The transfers by signature of EIP-3009. */
export const EIP3009 = [
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
] as const;

/** USDC's functions beyond ERC-20: permit (EIP-2612) and transfers by signature (EIP-3009). */
export const signedTransferAbi = parseAbi([
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "function version() view returns (string)",
  "function nonces(address owner) view returns (uint256)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  ...EIP3009,
]);

/** The sandbox's tokens: minted by their owner, the faucet. */
export const sandboxTokenAbi = parseAbi(["function mint(address to, uint256 value)"]);

/** The native asset as a token (WETH9). */
export const wrappedNativeAbi = parseAbi([
  "event Deposit(address indexed dst, uint256 wad)",
  "event Withdrawal(address indexed src, uint256 wad)",
  "function deposit() payable",
  "function withdraw(uint256 wad)",
]);

/** Reads in one call (mds1/multicall). */
export const multicall3Abi = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] results)",
  "function getEthBalance(address owner) view returns (uint256)",
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)",
]);

/** Uniswap v3: which pools there are. */
export const factoryAbi = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)",
  "function feeAmountTickSpacing(uint24 fee) view returns (int24)",
  "function createPool(address tokenA, address tokenB, uint24 fee) returns (address pool)",
]);

/** Uniswap v3: a pool, its price and the observations that averages are read from. */
export const poolAbi = parseAbi([
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "function token0() view returns (address)",
  "function token1() view returns (address)",
  "function fee() view returns (uint24)",
  "function liquidity() view returns (uint128)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)",
  "function observations(uint256 index) view returns (uint32 blockTimestamp, int56 tickCumulative, uint160 secondsPerLiquidityCumulativeX128, bool initialized)",
  "function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)",
  "function increaseObservationCardinalityNext(uint16 observationCardinalityNext)",
]);

/** Uniswap v3: QuoterV2. Its functions write nothing that lasts; they are called, not sent. */
export const quoterAbi = parseAbi([
  "struct InputSingle { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "struct OutputSingle { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)",
  "function quoteExactInputSingle(InputSingle params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)",
  "function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256 amountIn, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)",
  "function quoteExactOutputSingle(OutputSingle params) returns (uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)",
]);

/** Uniswap v3: SwapRouter. */
export const routerAbi = parseAbi([
  "struct ExactInput { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "struct ExactInputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct ExactOutput { bytes path; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; }",
  "struct ExactOutputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }",
  "function exactInput(ExactInput params) payable returns (uint256 amountOut)",
  "function exactInputSingle(ExactInputSingle params) payable returns (uint256 amountOut)",
  "function exactOutput(ExactOutput params) payable returns (uint256 amountIn)",
  "function exactOutputSingle(ExactOutputSingle params) payable returns (uint256 amountIn)",
  "function multicall(bytes[] data) payable returns (bytes[] results)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
]);

/** Uniswap v3: NonfungiblePositionManager, by which the sandbox's pools get their liquidity. */
export const positionManagerAbi = parseAbi([
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
]);

/** The bridge between the sandbox's chains. Status: 0 none, 1 deposited, 2 claimed, 3 refunded, 4 filled. */
export const bridgeAbi = parseAbi([
  "struct Order { address depositor; address recipient; address inputToken; uint256 inputAmount; uint256 originChainId; uint256 destinationChainId; address outputToken; uint256 minimumOutput; uint256 fillDeadline; uint256 nonce; }",
  "event Deposited(bytes32 indexed orderId, address indexed depositor, Order order)",
  "event Filled(bytes32 indexed orderId, address indexed relayer, address recipient, address outputToken, uint256 amount)",
  "event Claimed(bytes32 indexed orderId, address relayer)",
  "event Refunded(bytes32 indexed orderId)",
  "error BadState()",
  "error BadValue()",
  "error BelowMinimum()",
  "error Expired()",
  "error NotAttester()",
  "error NotExpired()",
  "error WrongChain()",
  "function REFUND_DELAY() view returns (uint256)",
  "function attester() view returns (address)",
  "function nonce() view returns (uint256)",
  "function status(bytes32 orderId) view returns (uint8)",
  "function orderIdOf(Order order) pure returns (bytes32)",
  "function deposit(address recipient, address inputToken, uint256 inputAmount, uint256 destinationChainId, address outputToken, uint256 minimumOutput, uint256 depositDeadline, uint256 fillDeadline) payable returns (bytes32 orderId)",
  "function fill(Order order, uint256 amount) payable",
  "function claim(Order order, address relayer)",
  "function refund(Order order)",
]);
