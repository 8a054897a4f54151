// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Tokens deposited on one chain are paid out by a relayer on another, or refunded. The attester vouches for fills.
contract SandboxBridge {
    using SafeERC20 for IERC20;

    struct Order {
        address depositor;
        address recipient;
        address inputToken;
        uint256 inputAmount;
        uint256 originChainId;
        uint256 destinationChainId;
        address outputToken;
        uint256 outputAmount;
        uint32 fillDeadline;
        uint256 nonce;
    }

    enum Status {
        None,
        Deposited,
        Claimed,
        Refunded,
        Filled
    }

    /// How long after the deadline the relayer of a late fill may still claim, before the depositor is refunded.
    uint256 public constant CLAIM_GRACE = 60;

    address public immutable attester;
    uint256 public lastNonce;
    mapping(bytes32 orderId => Status) public status;

    event Deposited(bytes32 indexed orderId, address indexed depositor, Order order);
    event Filled(
        bytes32 indexed orderId, address indexed relayer, address recipient, address outputToken, uint256 outputAmount
    );
    event Claimed(bytes32 indexed orderId, address relayer);
    event Refunded(bytes32 indexed orderId);

    error BadState();
    error BadDeadline();
    error WrongChain();
    error Expired();
    error NotExpired();
    error NotAttester();

    constructor(address attester_) {
        attester = attester_;
    }

    function orderIdOf(Order memory order) public pure returns (bytes32) {
        return keccak256(abi.encode(order));
    }

    function deposit(
        address recipient,
        address inputToken,
        uint256 inputAmount,
        uint256 destinationChainId,
        address outputToken,
        uint256 outputAmount,
        uint32 fillDeadline
    ) external returns (bytes32 orderId) {
        if (destinationChainId == block.chainid) revert WrongChain();
        if (fillDeadline <= block.timestamp) revert BadDeadline();
        Order memory order = Order(
            msg.sender,
            recipient,
            inputToken,
            inputAmount,
            block.chainid,
            destinationChainId,
            outputToken,
            outputAmount,
            fillDeadline,
            ++lastNonce
        );
        orderId = orderIdOf(order);
        status[orderId] = Status.Deposited;
        IERC20(inputToken).safeTransferFrom(msg.sender, address(this), inputAmount);
        emit Deposited(orderId, msg.sender, order);
    }

    /// On the destination: pays the recipient out of the relayer's own tokens.
    function fill(Order calldata order) external {
        bytes32 orderId = orderIdOf(order);
        if (order.destinationChainId != block.chainid) revert WrongChain();
        if (block.timestamp > order.fillDeadline) revert Expired();
        if (status[orderId] != Status.None) revert BadState();
        status[orderId] = Status.Filled;
        IERC20(order.outputToken).safeTransferFrom(msg.sender, order.recipient, order.outputAmount);
        emit Filled(orderId, msg.sender, order.recipient, order.outputToken, order.outputAmount);
    }

    /// On the origin: pays the deposit to the relayer who filled.
    function claim(Order calldata order, address relayer) external {
        if (msg.sender != attester) revert NotAttester();
        bytes32 orderId = orderIdOf(order);
        if (status[orderId] != Status.Deposited) revert BadState();
        status[orderId] = Status.Claimed;
        IERC20(order.inputToken).safeTransfer(relayer, order.inputAmount);
        emit Claimed(orderId, relayer);
    }

    /// On the origin, by anybody: returns the deposit when nobody claimed it in time.
    function refund(Order calldata order) external {
        bytes32 orderId = orderIdOf(order);
        if (status[orderId] != Status.Deposited) revert BadState();
        if (block.timestamp <= uint256(order.fillDeadline) + CLAIM_GRACE) revert NotExpired();
        status[orderId] = Status.Refunded;
        IERC20(order.inputToken).safeTransfer(order.depositor, order.inputAmount);
        emit Refunded(orderId);
    }
}
